"""Facts from the outside world that a script asked for, journalled so that they stay the same when it is played
again."""

import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import ValidationError

from moot.engine.play.agent import Agent
from moot.engine.play.structured import Shape
from moot.errors import RunDamaged
from moot.record.entry import now
from moot.record.journal import Journal, Record

T = TypeVar("T")


class Facts:
    """`find_out` is called with the key of a fact that is not recorded and does not follow from the seed; it raises
    if no new fact is allowed."""

    def __init__(self, journal: Journal, find_out: Callable[[str], None]) -> None:
        self._journal = journal
        self._find_out = find_out
        self._clock = time.monotonic()

    def known(
        self,
        key: str,
        make: Callable[[], T],
        fits: Callable[[T], bool],
        agent: Agent | None = None,
        model: str | None = None,
    ) -> T:
        """The recorded value, or a new one that is then recorded. `fits` protects against a modified journal;
        `agent` and `model` are the subjects of a new fact."""
        record = self._journal.fact(key)
        if record is None:
            if not key.startswith(("draw/", "read/")):  # these follow from the seed, and from the replies
                self._find_out(key)
            value = make()
            part = agent.id if agent else None
            self._journal.note(Record(key=key, agent=part, model=model, started=now(), kind="fact", value=value))
            return value
        try:
            sound = fits(record.value)
        except TypeError:
            sound = False
        if not sound:
            raise RunDamaged(f"the journal's fact at {key} cannot be: {record.value!r}")
        known: T = record.value
        return known

    def drawn(self, at: str, seed: int, count: int) -> int:
        """A random number below `count`."""
        lot = random.Random(f"{seed}/{at}")  # noqa: S311 (a draw that can be repeated, not a secret)
        return self.known(
            f"draw/{at}", lambda: lot.randrange(count), lambda number: is_whole(number) and 0 <= number < count
        )

    def order(self, at: str, seed: int, count: int) -> list[int]:
        """The numbers below `count` in random order."""
        lot = random.Random(f"{seed}/{at}")  # noqa: S311 (a draw that can be repeated, not a secret)
        places = list(range(count))
        return self.known(
            f"draw/{at}",
            lambda: lot.sample(places, count),
            lambda order: sorted(order) == places and all(map(is_whole, order)),
        )

    def note_reading(self, call: str, notes: Sequence[str]) -> None:
        """Record how a reply was read that was not written as asked for."""
        if notes:
            self.texts(f"read/{call}", lambda: list(notes))

    def texts(self, key: str, make: Callable[[], list[str]], count: int | None = None) -> list[str]:
        """`count` texts, or any number of them if it is None."""

        def fits(found: list[str]) -> bool:
            return (
                isinstance(found, list) and all(isinstance(one, str) for one in found) and count in (None, len(found))
            )

        return self.known(key, make, fits)

    async def learn(self, shape: type[Shape], key: str, find: Callable[[], Awaitable[Shape]]) -> Shape:
        """The recorded object of that shape, or a new one that is then recorded."""
        record = self._journal.fact(key)
        if record is None:
            started, clock = now(), time.monotonic()
            found = await find()
            seconds, value = round(time.monotonic() - clock, 3), found.model_dump(mode="json")
            await self._journal.keep(Record(key=key, started=started, seconds=seconds, kind="fact", value=value))
            return found
        try:
            return shape.model_validate(record.value)
        except ValidationError as error:
            raise RunDamaged(f"the journal's fact at {key} cannot be: {error.errors()[0]['msg']}") from error

    def minutes(self, key: str) -> float:
        """The recorded minutes, or the last recorded reading plus the time since then in this process."""

        def read() -> float:
            readings = [fact.value for at, fact in self._journal.facts.items() if at.startswith("clock/")]
            before = max(filter(is_number, readings), default=0.0)
            passed, self._clock = time.monotonic() - self._clock, time.monotonic()
            return round(before + passed / 60, 3)

        return self.known(key, read, lambda minutes: is_number(minutes) and minutes >= 0)


def is_whole(value: object) -> bool:
    return type(value) is int


def is_number(value: object) -> bool:
    return type(value) in (int, float)
