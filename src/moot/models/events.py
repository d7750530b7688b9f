"""Server-sent events: the `data:` of a stream that arrives in pieces of any size.

Follows the standard: lines end in LF, CR or both, a byte order mark is allowed at the beginning, and an event can have
several lines. In addition, a line that can be parsed on its own is an event at once, because chat servers do not always
send the blank line after an event.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

_BOM = b"\xef\xbb\xbf"
Event = TypeVar("Event")


class EventReader(Generic[Event]):
    """Turns bytes into events. An event is the result of `parse` for its data, or the data itself if that is None.
    `held` is the number of bytes of an incomplete event."""

    def __init__(self, parse: Callable[[bytes], Event | None]) -> None:
        self._parse = parse
        self._parts: list[bytes] = []
        self._data: list[bytes] = []
        self._after_return = False
        self._begun = False
        self.held = 0

    def more(self, chunk: bytes) -> Iterator[Event | bytes]:
        if self._after_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_return = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        first, *others = chunk.split(b"\n")
        self._parts.append(first)
        self.held += len(first)
        for part in others:
            yield from self._line(b"".join(self._parts))
            self._parts = [part]
            self.held += len(part)

    def end(self) -> Iterator[Event | bytes]:
        """The last event, if it has no blank line after it."""
        yield from self._line(b"".join(self._parts))
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[Event | bytes]:
        if not self._begun:
            line, self._begun = line.removeprefix(_BOM), True
        if line.startswith(b"data:"):
            data = line[5:].strip()
            event = None if self._data else self._parse(data)
            if event is None:
                self._data.append(data)
            else:
                yield event
        elif not line and self._data:
            whole = b"\n".join(self._data)
            self._data = []
            event = self._parse(whole)
            yield whole if event is None else event
        if not self._data:
            self.held = 0
