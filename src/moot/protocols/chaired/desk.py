"""The verifier's desk, which fetches or looks up cited sources, each URL once, and judges them during the debate."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from moot.api import Agent, ConfigError, Draft, Failure, Room, Task, fenced
from moot.evidence import (
    RULED,
    Corpus,
    Document,
    Fetcher,
    Finding,
    Page,
    Passage,
    Unfetched,
    decide,
    shipped_packs,
)
from moot.present import Flag
from moot.protocols.chaired.citing import is_document, page_of
from moot.protocols.chaired.config import ChairedConfig
from moot.protocols.chaired.payloads import STATUS_WORDS, Verification
from moot.protocols.chaired.prompts import CHECK, CHECK_AGAIN
from moot.protocols.chaired.record import shared_wording
from moot.protocols.chaired.shapes import in_order, readings_shape

PASSAGES = 12
"""The number of passages found for the topic in a pack; every debater sees all of them."""
PACK = "evidence pack"
WHOLE_PAGE = 12_000
"""Characters. Of a longer page the verifier reads a part, so that nothing is found not to be there."""
MOST_PASSAGES = 8
"""About how many passages of a longer page are shown."""


class Looked(BaseModel):
    """The result of looking up a URL, as journalled."""

    found: Page | Document | Unfetched


class Gathered(BaseModel):
    """The passages found for the topic in the pack, and remarks about the pack."""

    passages: list[Passage]
    flags: list[Flag]


class Pack(BaseModel):
    """A pack of evidence as content, for a run on a machine that does not have it."""

    documents: list[Document]
    ignored: list[str]


def carry(config: ChairedConfig) -> dict[str, Pack]:
    """The pack that a config names, unless it is a shipped one, which is the same everywhere."""
    pack = config.evidence.pack
    if pack is None or pack in shipped_packs():
        return {}
    corpus = read_pack(pack)
    return {PACK: Pack(documents=corpus.documents, ignored=corpus.ignored)}


def read_pack(pack: str) -> Corpus:
    """The pack of that name, or in that folder."""
    folder = shipped_packs().get(pack, Path(pack))
    if not folder.is_dir():
        told = f"there is no evidence pack {pack}: neither a folder nor one of {', '.join(shipped_packs())}"
        raise ConfigError(told, "evidence.pack")
    return Corpus.load(folder)


def given(room: Room) -> dict[str, Document]:
    """The documents that everybody was given, as sources."""
    return {
        f"D{number}": Document(url=f"D{number}", title=one.title, text=one.text, sha256=one.sha256)
        for number, one in enumerate(room.documents, 1)
    }


@dataclass(slots=True)
class Desk:
    """`confirmed` are the titles and texts of pages that supported a sentence, `judged` where the judgement of a
    sentence is, by page and sentence. The pack is read when it is first needed, which in a replay is never."""

    fetcher: Fetcher
    pack: str | None
    passages: list[Passage] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    confirmed: list[str] = field(default_factory=list)
    judged: "dict[tuple[str, str], Task[Judgements]]" = field(default_factory=dict)
    _pages: dict[str, Task[Looked]] = field(default_factory=dict)
    _corpus: Corpus | None = None

    async def gather(self, room: Room, topic: str) -> None:
        """Find passages about the topic in the pack; ConfigError if the pack does not exist."""
        if self.pack is None:
            return

        async def find() -> Gathered:
            corpus = self._load(room)
            unread = f"Not read, since of no known kind: {', '.join(corpus.ignored)}."
            flags = [Flag(code="evidence_not_read", text=unread, severity="note")] if corpus.ignored else []
            return Gathered(passages=corpus.search(topic, PASSAGES), flags=flags)

        gathered = await room.learn(Gathered, "passages", find)
        self.passages, self.flags = gathered.passages, gathered.flags

    def look_up(self, room: Room, url: str, at: str) -> "Task[Looked]":
        """The page at that URL; repeated requests return the same one."""
        key = page_of(url)
        if key not in self._pages:

            async def look() -> Looked:
                if is_document(url):
                    absent = Unfetched(url=url, kind="absent", words=f"there is no document {url} in this debate")
                    return Looked(found=given(room).get(url, absent))
                return await room.learn(Looked, f"page/{at}", self._finder(room, url))

            self._pages[key] = room.start_background(look())
        return self._pages[key]

    def _finder(self, room: Room, url: str) -> Callable[[], Awaitable[Looked]]:
        async def find() -> Looked:
            if self.pack is not None:
                return Looked(found=self._load(room).look_up(url))
            return Looked(found=await self.fetcher.fetch(url))

        return find

    def _load(self, room: Room) -> Corpus:
        if self._corpus is None:
            assert self.pack is not None  # noqa: S101 (only a debate with a pack comes here)
            if room.carried is None or self.pack in shipped_packs():
                self._corpus = read_pack(self.pack)
            else:
                carried = room.carried.get(Pack, PACK)
                self._corpus = Corpus(carried.documents, carried.ignored)
        return self._corpus


@dataclass(frozen=True, slots=True)
class Citation:
    """The sentences of an entry that cite a source; `around` is what they stand in, `marks` the marks of the source in
    it, `at` names the place in the script. `struck` are the struck statements so far, and `objection` is the text of a
    challenger."""

    entry: Draft
    url: str
    sentences: tuple[str, ...]
    around: str
    marks: str
    at: str
    struck: Sequence[Draft] = ()
    objection: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of a sentence on a page, the last call that it rests on, and why there is no judgement, if so."""

    finding: Finding
    call: str | None = None
    failure: str | None = None


Judgements = dict[str, Judged]
"""Judgements by sentence."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The finding on a sentence that cites a source, and its entry."""

    url: str
    sentence: str
    finding: Finding
    entry: Draft


@dataclass(frozen=True, slots=True)
class Verifier:
    """The verifier of one page: who looks at it, and who looks again before anything is held against anybody."""

    first: Agent
    again: Agent

    @property
    def calls(self) -> tuple[str, str]:
        return self.first.key("check"), self.again.key("check")


def begin_judging(room: Room, desk: Desk, verifier: Verifier, cited: Citation) -> "dict[str, Task[Judgements]]":
    """Start to judge the sentences of a citation while the debate continues, and where the judgement of each will be.
    The same sentence with the same source has one judgement; after an objection it is judged again."""
    page = page_of(cited.url)
    known = (
        {}
        if cited.objection
        else {one: desk.judged[page, one] for one in cited.sentences if (page, one) in desk.judged}
    )
    new = tuple(one for one in cited.sentences if one not in known)

    async def judge() -> Judgements:
        return await _judge(room, verifier, (await desk.look_up(room, cited.url, cited.at)).found, cited, new)

    begun = dict.fromkeys(new, room.start_background(judge())) if new else {}
    if not cited.objection:
        desk.judged |= {(page, one): task for one, task in begun.items()}
    return known | begun


async def check(
    room: Room, desk: Desk, verifier: Verifier, cited: Citation, begun: "Mapping[str, Task[Judgements]]"
) -> list[Checked]:
    """Look up the source that sentences cite, and enter what is found of each, once it is judged. A judgement that
    failed for somebody else is asked for again. Only the chair sees the result."""
    source = (await desk.look_up(room, cited.url, cited.at)).found
    judged = {one: (await begun[one])[one] for one in cited.sentences}
    if lost := tuple(one for one, found in judged.items() if found.failure and found.call not in verifier.calls):
        judged |= await _judge(room, verifier, source, cited, lost)
    return [_entered(room, desk, source, cited, one, judged[one]) for one in cited.sentences]


def _entered(
    room: Room, desk: Desk, source: Page | Document | Unfetched, cited: Citation, sentence: str, judged: Judged
) -> Checked:
    found, spared = judged.finding, list[str]()
    if found.status == "confirmed" and not isinstance(source, Unfetched):
        page = [source.title, source.text]
        desk.confirmed += page
        spared = [text for one in cited.struck for text in shared_wording(one, page)]
    told = found.model_dump() | {"url": cited.url, "sentence": sentence, "spared": spared}
    failure = f"no judgement of the source {cited.url}: {judged.failure}" if judged.failure else None
    entry = room.emit(
        "verification_result",
        "verifier",
        f"“{sentence}” cites {cited.url}: {STATUS_WORDS[found.status]}. {found.explanation}",
        phase=cited.entry.phase,
        to=["chair"],
        data=Verification(**told, failure=failure, challenged=bool(cited.objection)),
        target=cited.entry,
        call=judged.call,
    )
    return Checked(cited.url, sentence, found, entry)


async def _judge(
    room: Room, verifier: Verifier, source: Page | Document | Unfetched, cited: Citation, sentences: Sequence[str]
) -> Judgements:
    """Judge sentences that cite a page. What would go against whoever cites it is asked a second time, with the
    passage."""
    if isinstance(source, Unfetched):
        return dict.fromkeys(sentences, Judged(decide(source, None)))
    found = await _look(room, verifier.first, source, cited, dict.fromkeys(sentences, ""))
    doubted = {one: first.finding.quote for one, first in found.items() if first.finding.status in RULED}
    return found | await _look(room, verifier.again, source, cited, doubted, again=True) if doubted else found


async def _look(
    room: Room,
    verifier: Agent,
    page: Page | Document,
    cited: Citation,
    passages: Mapping[str, str],
    *,
    again: bool = False,
) -> Judgements:
    """Ask whether a page says these sentences, all in one request. `passages` are those that were found before. Of a
    long page the passages nearest to the sentences are shown; what is not in them may be elsewhere in it."""
    whole = len(page.text) <= WHOLE_PAGE
    text = page.text if whole else "\n\n[…]\n\n".join(_nearest(page, [*passages]))
    asked = [
        f"{number}. {one}" + (f"\nA passage that was found: {passage}" if passage else "")
        for number, (one, passage) in enumerate(passages.items(), 1)
    ]
    objection = f"\n\nSomebody objects to the citation:\n\n{fenced(cited.objection, 'objection')}"
    prompt = CHECK(
        extent="" if whole else ", of which these are the passages nearest to the sentences",
        page=fenced(f"{page.url}\n\n{text}", "page"),
        marks=cited.marks,
        around=fenced(cited.around, "statement"),
        sentences=fenced("\n\n".join(asked), "sentences"),
        objection=objection if cited.objection else "",
        again=CHECK_AGAIN if again else "",
    )
    call = verifier.key("check")
    found = await room.ask_for(readings_shape(len(passages)), verifier, prompt, "check")
    if isinstance(found, Failure):
        return dict.fromkeys(passages, Judged(decide(page, None), call, found.reason))
    return {
        one: Judged(decide(page, reading, passage, whole=whole), call)
        for (one, passage), reading in zip(passages.items(), in_order(found), strict=True)
    }


def _nearest(page: Page | Document, sentences: Sequence[str]) -> list[str]:
    """The passages of a page that are nearest to these sentences, in its order."""
    corpus = Corpus([Document(url=page.url, title=page.title, text=page.text, sha256=page.sha256)])
    few = max(2, MOST_PASSAGES // len(sentences))
    near = [
        one for sentence in sentences for one in corpus.search(sentence, few) or corpus.search(page.text[:200], few)
    ]
    return [text for _, text in sorted({(one.start, one.text) for one in near})]
