"""The verifier's desk, which fetches or looks up cited sources, each URL once, and judges them during the debate."""

from collections.abc import Awaitable, Callable, Sequence
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
    Judgement,
    Page,
    Passage,
    Unfetched,
    decide,
    find_quote,
    shipped_packs,
)
from moot.evidence.addresses import normal
from moot.present import Flag
from moot.protocols.chaired.citing import is_document
from moot.protocols.chaired.config import ChairedConfig
from moot.protocols.chaired.payloads import STATUS_WORDS, Verification
from moot.protocols.chaired.prompts import CHECK, CHECK_AGAIN
from moot.protocols.chaired.record import shared_wording

PASSAGES = 12
"""The number of passages found for the topic in a pack; every debater sees all of them."""
PACK = "evidence pack"
WHOLE_PAGE = 12_000
"""Characters. For a longer page, the verifier reads the passages closest to the claim."""
AROUND = 600
"""Characters on either side of a passage that are shown with it when the verifier looks again."""


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
    """`confirmed` are the titles and texts of pages that supported a sentence, `judged` the judgements so far, by page
    and sentence. The pack is read when it is first needed, which in a replay is never."""

    fetcher: Fetcher
    pack: str | None
    passages: list[Passage] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    confirmed: list[str] = field(default_factory=list)
    judged: "dict[tuple[str, str], Task[Judged]]" = field(default_factory=dict)
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
        key = normal(url)
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
    """A claim of an entry that cites a source; `at` names its place in the script. `struck` are the struck statements
    so far, and `objection` is the text of a challenger."""

    entry: Draft
    url: str
    sentence: str
    at: str
    struck: Sequence[Draft] = ()
    objection: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of a sentence on a page, the last call that it rests on, and why there is no judgement, if so."""

    finding: Finding
    call: str | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The finding on a citation, and its entry."""

    cited: Citation
    finding: Finding
    entry: Draft


@dataclass(frozen=True, slots=True)
class Verifier:
    """The verifier of one citation: who looks at it, and who looks again before anything is held against anybody."""

    first: Agent
    again: Agent

    @property
    def calls(self) -> tuple[str, str]:
        return self.first.key("check"), self.again.key("check")


async def check(room: Room, desk: Desk, verifier: Verifier, cited: Citation) -> Checked:
    """Look up the source that a sentence cites, have a model judge it, and decide. The same sentence with the same
    source gets the same judgement, unless there was none; after an objection it is judged again. Only the chair sees
    the result."""
    source = (await desk.look_up(room, cited.url, cited.at)).found
    key = normal(cited.url), cited.sentence
    begun = None if cited.objection else desk.judged.get(key)
    judged = await begun if begun else None
    if judged is None or (judged.failure and judged.call not in verifier.calls):
        judged = await _judge(room, verifier, source, cited)
    found, spared = judged.finding, list[str]()
    if found.status == "confirmed" and not isinstance(source, Unfetched):
        page = [source.title, source.text]
        desk.confirmed += page
        spared = [text for one in cited.struck for text in shared_wording(one, page)]
    told = found.model_dump() | {"url": cited.url, "sentence": cited.sentence, "spared": spared}
    failure = f"no judgement of the source {cited.url}: {judged.failure}" if judged.failure else None
    entry = room.emit(
        "verification_result",
        "verifier",
        f"“{cited.sentence}” cites {cited.url}: {STATUS_WORDS[found.status]}. {found.explanation}",
        phase=cited.entry.phase,
        to=["chair"],
        data=Verification(**told, failure=failure, challenged=bool(cited.objection)),
        target=cited.entry,
        call=judged.call,
    )
    return Checked(cited, found, entry)


def begin_judging(room: Room, desk: Desk, verifier: Verifier, cited: Citation) -> None:
    """Start to judge a citation while the debate continues, unless the same sentence with the same source is."""
    key = normal(cited.url), cited.sentence

    async def judge() -> Judged:
        return await _judge(room, verifier, (await desk.look_up(room, cited.url, cited.at)).found, cited)

    if key not in desk.judged and not cited.objection:
        desk.judged[key] = room.start_background(judge())


async def _judge(room: Room, verifier: Verifier, source: Page | Document | Unfetched, cited: Citation) -> Judged:
    """Judge a citation. What would go against whoever cites the page is asked a second time, with the passage."""
    if isinstance(source, Unfetched):
        return Judged(decide(source, None))
    first = await _ask(room, verifier.first, source, cited)
    if isinstance(first, Failure):
        return Judged(decide(source, None), verifier.first.key("check"), first.reason)
    found = decide(source, first)
    if found.status not in RULED:
        return Judged(found, verifier.first.key("check"))
    second = await _ask(room, verifier.again, source, cited, passage=found.quote)
    if isinstance(second, Failure):
        return Judged(decide(source, None), verifier.again.key("check"), second.reason)
    return Judged(decide(source, second, found.quote), verifier.again.key("check"))


async def _ask(
    room: Room, verifier: Agent, page: Page | Document, cited: Citation, passage: str | None = None
) -> Judgement | Failure:
    """Ask whether a page says a sentence. With a `passage`, which may be empty, it is asked again: of the passage where
    it stands or, without one, of the page."""
    place = find_quote(passage, page.text) if passage else None
    near = [] if place else _nearest(page, cited.sentence)
    around = page.text[max(0, place.start - AROUND) : place.end + AROUND] if place else ""
    whole = len(page.text) <= WHOLE_PAGE
    text = around or (page.text if whole else "\n\n[…]\n\n".join(one.text for one in near))
    extent = ", of which this is a passage" if around else ", of which these are the passages nearest to the sentence"
    objection = f"\n\nSomebody objects to the citation:\n\n{fenced(cited.objection, 'objection')}"
    prompt = CHECK(
        claim=fenced(cited.sentence, "sentence"),
        extent="" if whole and not around else extent,
        page=fenced(f"{page.url}\n\n{text}", "page"),
        objection=objection if cited.objection else "",
        again="" if passage is None else CHECK_AGAIN,
    )
    return await room.ask_for(Judgement, verifier, prompt, "check")


def _nearest(page: Page | Document, claim: str) -> list[Passage]:
    document = Document(url=page.url, title=page.title, text=page.text, sha256=page.sha256)
    corpus = Corpus([document])
    return corpus.search(claim, 8) or corpus.search(page.text[:200], 8)
