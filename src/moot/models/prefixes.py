"""Which beginnings of a request are worth caching, if a provider charges for it.

Storing a beginning costs a quarter more than reading it normally; reading it from the cache costs a tenth. So the first
request with a beginning stores it, and later requests, sent after its reply, read it; requests that run at the same
time can do neither.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LEAST = 4096
"""Bytes of the shortest beginning that is cached: 1024 tokens."""
SECONDS = 300.0
"""How long it stays in the cache after it was last read."""
REMEMBERED = 64
"""Requests that a new one is compared with."""
WORTH_ANEW = 2
"""How many times longer a new beginning has to be than one that is already cached."""


@dataclass(slots=True)
class Prefixes:
    """The beginnings of requests to one model: `kept` are cached, with the time of last use; `written` are being stored
    by current calls. `answered` are the last requests that have a reply; requests that run at the same time share a lot
    that is never sent again."""

    clock: Callable[[], float] = time.monotonic
    answered: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    kept: dict[str, float] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    @contextmanager
    def sending(self, text: str, shared: int = 0, *, goes_on: bool = False) -> Iterator[tuple[int, ...]]:
        """After how many characters of this request to set marks. Leave the block when the reply is there. All requests
        begin with the first `shared` characters. If a request `goes_on` with a conversation, it is cached as a whole
        anyway, so only these characters matter."""
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
        """A beginning that this request should store; empty if none is worth it."""
        length = self._longest_shared(text)
        # To the end of a paragraph or a message, so that requests alike end theirs at the same place.
        new = text[: max(text.rfind("\n\n", 0, length), text.rfind("\0", 0, length), 0)]
        enough = len(new) >= WORTH_ANEW * len(known) and len(new.encode(errors="replace")) >= LEAST
        return new if enough and new not in self.written else ""

    def _longest_shared(self, text: str) -> int:
        """The length of the longest common beginning of the text and one of the answered requests; 0 if it is short."""
        longest = LEAST // 4  # a character has at most four bytes
        for other in self.answered:
            if other.startswith(text[: longest + 1]):
                longest = _shared(text, other)
        return longest


def _shared(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one.startswith(other[:middle]) else (least, middle - 1)
    return least
