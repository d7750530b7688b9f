"""How many steps a regular expression takes, counted by a matcher that goes the way of Python's own, and how many lines
of Python anything else runs. Counts are the same on every machine."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import FrameType
from typing import Any, TypeAlias

_parser: Any = re._parser  # type: ignore[attr-defined]
_compiler: Any = re._compiler  # type: ignore[attr-defined]
_codes: Any = re._constants  # type: ignore[attr-defined]
Text: TypeAlias = Any
Then: TypeAlias = Callable[[int], int | None]
"""What comes after a part of a pattern: from a place in the text to the end of the match, or None."""
Part: TypeAlias = Callable[[int, Then], int | None]
_ONE = (_codes.LITERAL, _codes.NOT_LITERAL, _codes.ANY, _codes.IN)
_REPEATS = (_codes.MAX_REPEAT, _codes.MIN_REPEAT, _codes.POSSESSIVE_REPEAT)


MOST_STEPS = 100_000


class TooManySteps(Exception):
    """It would go on for ever."""


@dataclass
class Matcher:
    """Matches `pattern` at one place of `text`, and counts the steps."""

    pattern: "re.Pattern[Any]"
    text: Text = ""
    steps: int = 0
    groups: dict[int, tuple[int, int]] = field(default_factory=dict)

    @cached_property
    def _parsed(self) -> Any:
        return _parser.parse(self.pattern.pattern, self.pattern.flags & ~re.DEBUG)

    @cached_property
    def _whole(self) -> Part:
        return self._sequence(self._parsed, self.pattern.flags)

    def at(self, text: Text, place: int, *, to_the_end: bool = False) -> int | None:
        """Where a match that begins there ends, or None. `steps` says how many it took."""
        self.text, self.steps, self.groups = text, 0, {}
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(MOST_STEPS)  # each repetition calls the next
        try:
            return self._whole(place, lambda end: end if not to_the_end or end == len(text) else None)
        finally:
            sys.setrecursionlimit(before)

    def _sequence(self, nodes: Any, flags: int) -> Part:
        parts = [self._part(node, flags) for node in nodes]
        if len(parts) == 1:
            return parts[0]

        def match(place: int, then: Then, number: int = 0) -> int | None:
            if number == len(parts):
                return then(place)
            return parts[number](place, lambda end: match(end, then, number + 1))

        return match

    def _part(self, node: Any, flags: int) -> Part:
        kind, about = node
        if kind in _ONE:
            return self._one(node, flags)
        if kind is _codes.AT:
            return self._at(node, flags)
        if kind in _REPEATS:
            least, most, inner = about
            return self._repeat(kind, least, most, inner, flags)
        if kind is _codes.BRANCH:
            return self._branch([self._sequence(one, flags) for one in about[1]])
        if kind is _codes.SUBPATTERN:
            group, more, less, inner = about
            return self._group(group, self._sequence(inner, flags & ~less | more))
        if kind in (_codes.ASSERT, _codes.ASSERT_NOT):
            return self._look(*about, wanted=kind is _codes.ASSERT, flags=flags)
        if kind is _codes.GROUPREF:
            return self._again(about)
        assert kind is _codes.ATOMIC_GROUP, f"{kind} is not known here"
        return self._atomic(self._sequence(about, flags))

    def _own(self, node: Any, flags: int) -> "re.Pattern[Any]":
        """The expression of one part alone."""
        made = _parser.SubPattern(self._parsed.state, [node])
        own: re.Pattern[Any] = _compiler.compile(made, flags & ~re.DEBUG)
        return own

    def _fits(self, node: Any, flags: int) -> Callable[[int], bool]:
        own, known = self._own(node, flags), dict[Any, bool]()

        def fits(place: int) -> bool:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooManySteps
            if place >= len(self.text):
                return False
            char = self.text[place : place + 1]
            if char not in known:
                known[char] = own.fullmatch(char) is not None
            return known[char]

        return fits

    def _one(self, node: Any, flags: int) -> Part:
        fits = self._fits(node, flags)
        return lambda place, then: then(place + 1) if fits(place) else None

    def _at(self, node: Any, flags: int) -> Part:
        own = self._own(node, flags)

        def match(place: int, then: Then) -> int | None:
            self.steps += 1
            return then(place) if own.match(self.text, place) else None

        return match

    def _repeat(self, kind: Any, least: int, most: int, nodes: Any, flags: int) -> Part:
        if kind is _codes.POSSESSIVE_REPEAT:
            return self._atomic(self._repeat(_codes.MAX_REPEAT, least, most, nodes, flags))
        if len(nodes) == 1 and nodes[0][0] in _ONE and kind is _codes.MAX_REPEAT:
            return self._run(self._fits(nodes[0], flags), least, most)
        inner = self._sequence(nodes, flags)
        greedy = kind is _codes.MAX_REPEAT

        def match(place: int, then: Then, count: int = 0) -> int | None:
            self.steps += 1

            def again() -> int | None:
                if count >= most:
                    return None
                return inner(
                    place, lambda end: None if end == place and count >= least else match(end, then, count + 1)
                )

            if count < least:
                return again()
            found = again() if greedy else then(place)
            if found is not None:
                return found
            return then(place) if greedy else again()

        return match

    def _run(self, fits: Callable[[int], bool], least: int, most: int) -> Part:
        def match(place: int, then: Then) -> int | None:
            end = place
            while end - place < most and fits(end):
                end += 1
            while end - place >= least:
                self.steps += 1
                if (found := then(end)) is not None:
                    return found
                end -= 1
            return None

        return match

    def _branch(self, ways: list[Part]) -> Part:
        def match(place: int, then: Then) -> int | None:
            for way in ways:
                self.steps += 1
                if (found := way(place, then)) is not None:
                    return found
            return None

        return match

    def _group(self, group: int | None, inner: Part) -> Part:
        if group is None:
            return inner

        def match(place: int, then: Then) -> int | None:
            def closed(end: int) -> int | None:
                before = self.groups.get(group)
                self.groups[group] = (place, end)
                if (found := then(end)) is not None:
                    return found
                self.groups.pop(group)
                self.groups |= {group: before} if before else {}
                return None

            return inner(place, closed)

        return match

    def _look(self, direction: int, nodes: Any, *, wanted: bool, flags: int) -> Part:
        inner, width = self._sequence(nodes, flags), nodes.getwidth()[0]

        def match(place: int, then: Then) -> int | None:
            self.steps += 1
            start = place - width if direction < 0 else place
            found = inner(start, lambda end: end) if start >= 0 else None
            return then(place) if (found is not None) is wanted else None

        return match

    def _again(self, group: int) -> Part:
        def match(place: int, then: Then) -> int | None:
            start, end = self.groups.get(group, (0, -1))
            said = self.text[start:end]
            self.steps += 1 + len(said)
            return then(place + len(said)) if end >= start and self.text.startswith(said, place) else None

        return match

    def _atomic(self, inner: Part) -> Part:
        def match(place: int, then: Then) -> int | None:
            found = inner(place, lambda end: end)
            return None if found is None else then(found)

        return match


@cache
def matcher_of(pattern: "re.Pattern[Any]") -> Matcher:
    return Matcher(pattern)


@contextmanager
def counted_lines() -> Iterator[list[int]]:
    """Counts the lines of Python that run within, of whatever module."""
    count = [0]

    def line(frame: FrameType, event: str, about: object) -> Any:
        count[0] += 1
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        yield count
    finally:
        sys.settrace(before)
