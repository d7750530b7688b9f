"""The brief: what a debate answers to whoever asked, and why."""

from collections.abc import Callable, Iterator

from moot.present.data import Data
from moot.present.findings import Where


class Dissent(Data):
    """An agent that disagrees with the outcome, and its reason."""

    who: str
    reason: str


class Point(Data):
    """A sentence or two of a brief: the entries of the log that it rests on, and the places in documents that it or
    they quote."""

    text: str
    entries: list[int] = []
    places: list[Where] = []


class Brief(Data):
    """The answer to the question that was asked, in one sentence, and what a reader needs to act on it. Every part is
    from a reply on record, the entry `source` where a part names no other; a part that nobody wrote is None or empty.
    `firmness` says in words how firm the answer is, and by what in the record."""

    answer: str | None = None
    firmness: str = ""
    because: list[Point] = []
    conditions: Point | None = None
    objection: Point | None = None
    agreed: Point | None = None
    would_change_it: Point | None = None
    next: Point | None = None
    dissent: list[Dissent] = []
    source: int | None = None

    @property
    def points(self) -> Iterator[tuple[str, Point]]:
        """Its parts besides the answer, with the words that introduce each."""
        yield from (("Because", point) for point in self.because)
        for words, point in (
            ("On condition", self.conditions),
            ("The best objection", self.objection),
            ("Accepted by all sides", self.agreed),
            ("What would change it", self.would_change_it),
            ("What to do next", self.next),
        ):
            if point is not None:
                yield words, point

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """All of it besides the answer as texts, each with the words that introduce it."""
        yield from ((words, point.text) for words, point in self.points)
        yield from ((f"{one.who} dissents", one.reason) for one in self.dissent)
        if self.firmness:
            yield "How firm it is", self.firmness

    def with_points(self, change: Callable[[Point], Point]) -> "Brief":
        """This brief with each point as `change` makes it."""
        single = {
            name: getattr(self, name) for name in ("conditions", "objection", "agreed", "would_change_it", "next")
        }
        changed = {name: change(point) for name, point in single.items() if point is not None}
        return self.model_copy(update={"because": [change(point) for point in self.because], **changed})
