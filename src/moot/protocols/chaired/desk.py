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
    shipped_packs,
)
from moot.evidence.addresses import normal
from moot.present import Flag
from moot.protocols.chaired.payloads import Verification
from moot.protocols.chaired.prompts import CHECK
from moot.protocols.chaired.shapes import as_judgement, small_judgement
from moot.record.entry import Draft

PASSAGES = 12
"""The number of passages found for the topic in a pack; every debater sees all of them."""
WHOLE_PAGE = 12_000
"""Characters. For a longer page, the verifier reads the passages closest to the claim."""


class Looked(BaseModel):
    """The result of looking up a URL, as journalled."""

    found: Page | Document | Unfetched


class Gathered(BaseModel):
    """The passages found for the topic in the pack, and remarks about the pack."""

    passages: list[Passage]
    flags: list[Flag]


@dataclass(slots=True)
class Desk:
    """`checks` are the findings, finished or not, by entry and URL. The pack is read on first use, so never in a
    replay."""

    fetcher: Fetcher
    pack: str | None
    passages: list[Passage] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    checks: dict[tuple[int | None, str], list[Aside[Finding]]] = field(default_factory=dict)
    _pages: dict[str, Aside[Looked]] = field(default_factory=dict)
    _corpus: Corpus | None = None

    async def gather(self, room: Room, topic: str) -> None:
        """Find passages about the topic in the pack; ConfigError if the pack does not exist."""
        if self.pack is None:
            return

        async def find() -> Gathered:
            corpus = self._load()
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
                return await room.learn(Looked, f"page/{at}", self._finder(url))

            self._pages[key] = room.errand(look())
        return self._pages[key]

    def _finder(self, url: str) -> Callable[[], Awaitable[Looked]]:
        async def find() -> Looked:
            if self.pack is not None:
                return Looked(found=self._load().look_up(url))
            return Looked(found=await self.fetcher.fetch(url))

        return find

    def _load(self) -> Corpus:
        if self._corpus is None:
            assert self.pack is not None  # noqa: S101 (only a debate with a pack comes here)
            folder = shipped_packs().get(self.pack, Path(self.pack))
            if not folder.is_dir():
                names = ", ".join(shipped_packs())
                told = f"there is no evidence pack {self.pack}: neither a folder nor one of {names}"
                raise ConfigError(told, "evidence.pack")
            self._corpus = Corpus.load(folder)
        return self._corpus


async def check(room: Room, desk: Desk, verifier: Agent, cited: "Citation", *, small: bool) -> Finding:
    """Look up one source of an entry, have it judged, and decide. Only the chair sees the result."""
    looked = await desk.look_up(room, cited.url, cited.at)
    judged: Judgement | Failure | None = None
    if not isinstance(looked.found, Unfetched):
        judged = await _judge(room, verifier, looked.found, cited.claim, small=small)
    failure = f"no judgement of the source {cited.url}: {judged.reason}" if isinstance(judged, Failure) else None
    found = decide(looked.found, cited.claim, None if isinstance(judged, Failure) else judged)
    room.emit(
        "verification_result",
        "verifier",
        f"{cited.url}: {found.status}. {found.explanation}",
        phase=cited.entry.phase,
        to=["chair"],
        data=Verification(**(found.model_dump() | {"url": cited.url}), failure=failure),
        target=cited.entry,
        call=verifier.key("check") if judged is not None else None,
    )
    return found


@dataclass(frozen=True, slots=True)
class Citation:
    """One source of an entry and the claim it is cited for; `at` is its place in the script."""

    entry: Draft
    url: str
    claim: str
    at: str


async def _judge(room: Room, verifier: Agent, page: Page | Document, claim: str, *, small: bool) -> Judgement | Failure:
    near = _nearest(page, claim)
    if small:
        sentences = _sentences(near[0].text if near else page.text)
        prompt = CHECK(
            plain=claim, claim="", url="", extent="", page=f'"{" ".join(sentences).replace(chr(34), chr(39))}"'
        )
        picked = await room.ask_for(small_judgement(sentences), verifier, prompt, "check")
        return picked if isinstance(picked, Failure) else as_judgement(picked)
    whole = len(page.text) <= WHOLE_PAGE
    text = page.text if whole else "\n\n[…]\n\n".join(passage.text for passage in near)
    prompt = CHECK(
        claim=fenced(claim, "claim"),
        plain=claim,
        url=page.url,
        extent="This is its text:" if whole else "It is long; these are the passages nearest to the claim:",
        page=fenced(text, "page"),
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
