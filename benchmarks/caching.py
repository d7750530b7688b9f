"""What the marks for a prompt cache save where a provider bills for one: every protocol, with Anthropic's prices.

    python benchmarks/caching.py [--document BYTES] [--json]

The debates are those of `tokens.py`. The cache works as Anthropic describes its own: it keeps what is before a mark, if
that is at least 1024 tokens, from the reply on; what is kept costs 1.25 of the price of input, what is read 0.1. A
token is four bytes. The first column has marks wherever they may help: after the system prompt and at the end.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

import tests.kit.recorded as recording
from tests.kit.filler import filler_model

import moot
from moot.models.anthropic import continues, document_of, text_of
from moot.models.prefixes import Prefixes

LEAST, KEPT, READ = 1024, 1.25, 0.1
SECONDS = 0.01
"""How long a reply takes, so that requests that run side by side do."""


@dataclass(slots=True)
class Billed:
    """A model that answers with filler, and counts what its requests would cost in tokens of plain input."""

    inner: Any
    everywhere: bool
    prefixes: Prefixes = field(default_factory=Prefixes)
    kept: set[str] = field(default_factory=set)
    plain: float = 0.0
    cost: float = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def reply(self, request: moot.Request, on_text: Any = None) -> moot.ModelReply:
        if self.everywhere:
            text = text_of(request)
            ends = {text.find("\0"), len(text)} - {-1}
            return await self._answer(request, sorted(ends), on_text)
        with self.prefixes.sending(text_of(request), request.shared, goes_on=continues(request)) as marks:
            return await self._answer(request, marks, on_text)

    async def _answer(self, request: moot.Request, given: Sequence[int], on_text: Any) -> moot.ModelReply:
        blocks = list(_blocks(document_of("m", request, constrained=True, marks=given)))
        marks = [text for text, marked in blocks if marked and tokens(text) >= LEAST]
        ends = [text for text, _ in blocks if text in self.kept and any(mark.startswith(text) for mark in marks)]
        read, most = tokens(max(ends, key=len, default="")), tokens(max(marks, key=len, default=""))
        total = tokens(blocks[-1][0])
        self.plain += total
        self.cost += total - max(read, most) + READ * read + KEPT * max(0.0, most - read)
        await asyncio.sleep(SECONDS)
        self.kept |= set(marks)
        answer: moot.ModelReply = await self.inner.reply(request, on_text)
        return answer


def _blocks(document: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """All of a request up to the end of each block, and whether a mark stands there."""
    text = ""
    for content in (document.get("system", ""), *(message["content"] for message in document["messages"])):
        for block in [{"text": content}] if isinstance(content, str) else content:
            text += block["text"]
            yield text, "cache_control" in block
        text += "\0"


def tokens(text: str) -> float:
    return len(text.encode()) / 4


def main() -> int:
    parser = argparse.ArgumentParser(description="What marks for a prompt cache save, in every protocol.")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    parser.add_argument(
        "--document", type=int, default=0, metavar="BYTES", help="give everybody a document of that size"
    )
    options = parser.parse_args()
    figures = {
        name: [billed(case, options.document, everywhere=one) for one in (True, False)] for name, case in CASES.items()
    }
    if options.json:
        print(json.dumps(figures, indent=2))
        return 0
    print("| debate | marked everywhere | marked as moot does |\n|---|---|---|")
    for name, (before, now) in figures.items():
        print(f"| {name} | {before:.0%} | {now:.0%} |")
    return 0


def billed(case: recording.Case, size: int, *, everywhere: bool) -> float:
    """The cost of a debate's input, as a share of what it costs without a cache; with a document of that size."""
    lines = (f"Line {number} says what was measured on that day.\n" for number in range(size // 40 + 1))
    given = {"documents": [{"title": "Figures", "text": "".join(lines)[:size]}]} if size else {}
    model = Billed(filler_model(), everywhere)
    with patch.object(recording, "filler_model", lambda **_: model):
        recording.recorded(case, **given)
    return round(model.cost / model.plain, 3)


CASES = {name: case for name, case in recording.CASES.items() if not case.rejudged}

if __name__ == "__main__":
    sys.exit(main())
