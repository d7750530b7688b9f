"""The verifier's desk, which fetches or looks up cited sources, each URL once, and judges them during the debate."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from moot.engine.agent import Agent
from moot.engine.prompt import fenced
from moot.engine.room import Aside, Room
from moot.engine.structured import Failure
from moot.errors import ConfigError
from moot.evidence import (
    Corpus,
    Document,
    Fetcher,
    Finding,
    Judgement,
    Page,
    Passage,
    Unfetched,
    decide,
    quotations,
    says,
    shipped_packs,
    without_quotations,
)
from moot.evidence.addresses import normal
from moot.present import Flag
from moot.protocols.chaired.citing import is_document, without_marks
from moot.protocols.chaired.config import ChairedConfig
from moot.protocols.chaired.payloads import STATUS_WORDS, Status, Verification
from moot.protocols.chaired.prompts import CHECK
from moot.protocols.chaired.record import shared_wording
from moot.protocols.chaired.shapes import as_judgement, small_judgement
from moot.record.entry import Draft

PASSAGES = 12
"""The number of passages found for the topic in a pack; every debater sees all of them."""
PACK = "evidence pack"
WHOLE_PAGE = 12_000
"""Characters. For a longer page, the verifier reads the passages closest to the claim."""


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
    """`names` are those of the cast, `verified` the titles and texts of pages that supported a sentence, `judged` the
    judgements so far, by page and sentence. The pack is read when it is first needed, which in a replay is never."""

    fetcher: Fetcher
    pack: str | None
    names: tuple[str, ...] = ()
    passages: list[Passage] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    verified: list[str] = field(default_factory=list)
    judged: dict[tuple[str, str], "Judging"] = field(default_factory=dict)
    _pages: dict[str, Aside[Looked]] = field(default_factory=dict)
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

    def offered(self, side: str, number: int) -> Passage | None:
        """The single passage for a small model in a turn: a different one for each side and round."""
        return self.passages[(2 * number + (side == "against")) % len(self.passages)] if self.passages else None

    def look_up(self, room: Room, url: str, at: str) -> "Aside[Looked]":
        """The page at that URL; repeated requests return the same one."""
        key = normal(url)
        if key not in self._pages:

            async def look() -> Looked:
                if is_document(url):
                    absent = Unfetched(url=url, kind="absent", words=f"there is no document {url} in this debate")
                    return Looked(found=given(room).get(url, absent))
                return await room.learn(Looked, f"page/{at}", self._finder(room, url))

            self._pages[key] = room.errand(look())
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
    """A claim of an entry that cites a source; `at` names its place in the script. `said` are the statements before it,
    `struck` the struck ones among them, and `objection` is the text of a challenger."""

    entry: Draft
    url: str
    sentence: str
    at: str
    said: Sequence[Draft] = ()
    struck: Sequence[Draft] = ()
    objection: str = ""


@dataclass(frozen=True, slots=True)
class Judging:
    """The judgement of a sentence on a page, None without a page. `at` is where it is asked for."""

    at: str
    answer: "Aside[Judgement | Failure | None]"


@dataclass(frozen=True, slots=True)
class Checked:
    """The finding on a citation, and its entry."""

    cited: Citation
    finding: Finding
    entry: Draft


def begin_judging(room: Room, desk: Desk, verifier: Agent, cited: Citation, *, small: bool) -> Judging:
    """Start to judge a citation while the debate continues. The same sentence with the same source gets the same
    judgement; after an objection it is judged again."""
    key = normal(cited.url), cited.sentence
    if key in desk.judged and not cited.objection:
        return desk.judged[key]

    async def judge() -> Judgement | Failure | None:
        found = (await desk.look_up(room, cited.url, cited.at)).found
        return None if isinstance(found, Unfetched) else await _judge(room, verifier, found, cited, small=small)

    judging = Judging(cited.at, room.errand(judge()))
    if not cited.objection:
        desk.judged[key] = judging
    return judging


async def check(room: Room, desk: Desk, verifier: Agent, cited: Citation, judging: Judging, *, small: bool) -> Checked:
    """Look up the source that a sentence cites, have a model judge it, and decide. Only the chair sees the result."""
    looked = await desk.look_up(room, cited.url, cited.at)
    judged, key = await judging.answer, f"verifier@{judging.at}/check"
    if isinstance(judged, Failure) and judging.at != cited.at and not isinstance(looked.found, Unfetched):
        judged, key = await _judge(room, verifier, looked.found, cited, small=small), verifier.key("check")
    failure = f"no judgement of the source {cited.url}: {judged.reason}" if isinstance(judged, Failure) else None
    # Who speaks here is named on no page.
    sentence = re.sub(r"\b(?:" + "|".join(map(re.escape, desk.names)) + r")\b", "they", cited.sentence)
    found = decide(
        looked.found, sentence if desk.names else cited.sentence, None if isinstance(judged, Failure) else judged
    )
    spared: list[str] = []
    if found.status == "verified" and not isinstance(looked.found, Unfetched):
        if misquotes(cited, looked.found.text):
            words = "said to support the claim, but the words that the sentence quotes are not in the page"
            found = Finding(url=found.url, status="unreliable", confidence=None, quote=found.quote, explanation=words)
        else:
            page = [looked.found.title, looked.found.text]
            desk.verified += page
            spared = [text for one in cited.struck for text in shared_wording(one, page)]
    told = found.model_dump() | {"url": cited.url, "sentence": cited.sentence, "failure": failure, "spared": spared}
    entry = room.emit(
        "verification_result",
        "verifier",
        f"{cited.url}: {STATUS_WORDS[found.status]}. {found.explanation}",
        phase=cited.entry.phase,
        to=["chair"],
        data=Verification(**told, challenged=bool(cited.objection)),
        target=cited.entry,
        call=key if judged is not None else None,
    )
    return Checked(cited, found, entry)


def misquotes(cited: Citation, page: str) -> bool:
    """Whether a sentence quotes words that are not in the page it cites and not in earlier statements."""
    elsewhere = [text for _, text in quotable(cited.entry, cited.said)]
    return any(not any(says(quote, text) for text in (page, *elsewhere)) for quote in quotations(cited.sentence))


def quotable(entry: Draft, said: Sequence[Draft]) -> list[tuple[str, str]]:
    """The statements that an entry can quote, each with its number. The author's own statements count without their
    quotations: an invented quotation does not become real by repeating it."""
    return [
        (f"#{one.seq}", without_quotations(one.content) if one.speaker == entry.speaker else one.content)
        for one in said
    ]


async def look_up_quotations(room: Room, desk: Desk, entry: Draft, said: Sequence[Draft], at: str) -> list[Draft]:
    """Look for every quotation of a statement: in the pages that it cites, in what was said before it, and in the
    evidence that both sides were shown. No model is asked. The findings go to the chair."""
    wanted = quotations(without_marks(entry.content))
    if not wanted:
        return []
    places = [*quotable(entry, said), *((one.url, one.text) for one in desk.passages)]
    unread = ""
    for number, source in enumerate(entry.sources, 1):
        looked = await desk.look_up(room, source.url, f"{at}.quoted.{number}")
        if isinstance(looked.found, Unfetched):
            unread = source.url
        else:
            places.append((source.url, looked.found.text))
    return [_quotation(room, entry, quote, places, unread) for quote in wanted]


def _quotation(room: Room, entry: Draft, quote: str, places: Sequence[tuple[str, str]], unread: str) -> Draft:
    status: Status
    where = next((name for name, text in places if says(quote, text)), None)
    if where is not None:
        status, told = "verified", f"these words stand in {where}"
    elif unread:
        status, told = "unreachable", f"these words were found nowhere, and {unread} could not be read"
    else:
        status, told = "unreliable", "these words stand neither in a page that is cited nor in what was said before"
    data = Verification(
        kind="quotation",
        url=where if where and not where.startswith("#") else "",
        status=status,
        confidence=None,
        quote=quote if where else "",
        explanation=told,
        sentence=quote,
        found_in=where,
    )
    content = f"The quotation “{quote}”: {told}."
    return room.emit(
        "verification_result", "verifier", content, phase=entry.phase, to=["chair"], data=data, target=entry
    )


async def _judge(
    room: Room, verifier: Agent, page: Page | Document, cited: Citation, *, small: bool
) -> Judgement | Failure:
    claim = cited.sentence
    near = _nearest(page, claim)
    if small:
        sentences = _sentences(near[0].text if near else page.text)
        shown = " ".join(sentences).replace(chr(34), chr(39))
        prompt = CHECK(plain=claim, claim="", extent="", objection="", page=f'"{shown}"')
        picked = await room.ask_for(small_judgement(sentences), verifier, prompt, "check")
        return picked if isinstance(picked, Failure) else as_judgement(picked)
    whole = len(page.text) <= WHOLE_PAGE
    text = page.text if whole else "\n\n[…]\n\n".join(passage.text for passage in near)
    objection = f"\n\nSomebody objects to the citation:\n\n{fenced(cited.objection, 'objection')}"
    prompt = CHECK(
        claim=fenced(claim, "sentence"),
        plain=claim,
        extent="" if whole else ", of which these are the passages nearest to the sentence",
        page=fenced(f"{page.url}\n\n{text}", "page"),
        objection=objection if cited.objection else "",
    )
    return await room.ask_for(Judgement, verifier, prompt, "check")


def _nearest(page: Page | Document, claim: str) -> list[Passage]:
    document = Document(url=page.url, title=page.title, text=page.text, sha256=page.sha256)
    corpus = Corpus([document])
    return corpus.search(claim, 8) or corpus.search(page.text[:200], 8)


def _sentences(text: str) -> tuple[str, ...]:
    """The first sentences of a passage that are long enough to be quoted."""
    found: Sequence[str] = re.findall(r"[^.!?\n]++[.!?]?", text)
    whole = (piece[-221:] for piece in found if len(piece) > 20 and piece.endswith((".", "!", "?")))
    return tuple(dict.fromkeys(sentence.strip() for sentence in whole))[:5]
