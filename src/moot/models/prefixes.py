"""Which beginnings of a request are worth caching, where a provider bills for keeping them.

Keeping costs a quarter more than reading, and reading what was kept a tenth. So a beginning is kept by the one request
that has it first, and read by those that come after its reply; requests that run beside it can do neither.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LEAST = 4096
"""Bytes of the shortest beginning that is kept: 1024 tokens."""
SECONDS = 300.0
"""How long it is kept after it was read last."""
REMEMBERED = 64
"""Requests that a new one is compared with."""
WORTH_ANEW = 2
"""How many times longer a new beginning has to be than one that is kept already."""


@dataclass(slots=True)
class Prefixes:
    """The beginnings of requests to one model: `kept` with the time each was used last, and those that calls under way
    are having `written`. `answered` are the last requests whose reply is there: those side by side share much that
    nobody sends again."""

    clock: Callable[[], float] = time.monotonic
    answered: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    kept: dict[str, float] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    @contextmanager
    def sending(self, text: str, shared: int = 0, *, goes_on: bool = False) -> Iterator[tuple[int, ...]]:
        """After how many characters of this request to set marks. Leave the block when the reply is there. All requests
        begin with the first `shared` characters. One that `goes_on` with a conversation is kept whole anyway, and so
        only these matter."""
        now = self.clock()
        self.kept = {one: used for one, used in self.kept.items() if now - used < SECONDS}
        common = text[:shared] if len(text[:shared].encode(errors="replace")) >= LEAST else ""
        known = "" if goes_on else max((one for one in self.kept if text.startswith(one)), key=len, default="")
        new = "" if goes_on else self._new(text, known or common)
        own = {new, common if common not in self.written and common not in self.kept else ""} - {""}
        marked = {known, common if common in self.kept else "", *own} - {""}
        self.written |= own
        try:
            yield tuple(sorted(len(one) for one in marked))
        finally:
            self.written -= own
        self.kept |= dict.fromkeys(marked, self.clock())
        if not goes_on:
            self.answered.append(text)

    def _new(self, text: str, known: str) -> str:
        """A beginning that this request is to have kept; empty if there is none that is worth it."""
        length = self._longest_shared(text)
        # To the end of a paragraph or a message, so that requests alike end theirs at the same place.
        new = text[: max(text.rfind("\n\n", 0, length), text.rfind("\0", 0, length), 0)]
        enough = len(new) >= WORTH_ANEW * len(known) and len(new.encode(errors="replace")) >= LEAST
        return new if enough and new not in self.written else ""

    def _longest_shared(self, text: str) -> int:
        """How many characters the text and one of the answered requests begin with in common; 0 where it is little."""
        longest = LEAST // 4  # a character has at most four bytes
        for other in self.answered:
            if other.startswith(text[: longest + 1]):
                longest = _shared(text, other)
        return longest


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one.startswith(other[:middle]) else (least, middle - 1)
    return least
