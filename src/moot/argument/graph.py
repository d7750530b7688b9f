"""The argument graph: attacks, supports, and the base weight of each argument.

A graph is immutable; every edit returns a new one. It is independent of semantics and formats.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self

from moot.errors import ConfigError

Pair = tuple[int, int]
Kind = Literal["attack", "undercut", "support"]
NamedPairs = Iterable[tuple[str, str]]


class ArgumentError(ConfigError):
    """An invalid question or graph: an unknown argument, a duplicate name, a weight outside 0..1."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """An argument that was raised and does not count any more: how it fell, in a word, and why."""

    name: str
    text: str
    state: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A weighted bipolar argument graph; without supports it is an abstract framework.

    Made by `Graph.of` from names or by `Graph.numbered` from numbers. Two graphs are equal if they have the same names,
    relations, weights and texts, in any order.
    """

    names: tuple[str, ...]
    """Unique, in order of appearance; an argument's number is its index here."""
    attacks: tuple[Pair, ...] = ()
    """Attacker and attacked; every pair once."""
    supports: tuple[Pair, ...] = ()
    """Supporter and supported; every pair once."""
    undercuts: tuple[bool, ...] = ()
    """For each attack, True if it is an undercut, False if it is a rebuttal."""
    weights: tuple[float | None, ...] = ()
    """The base score of each argument, in 0..1, or None."""
    texts: tuple[str, ...] = ()
    """The text of each argument, "" if unknown."""
    fallen: tuple[Fallen, ...] = ()
    """What was raised and does not count: no semantics sees it."""
    fallen_relations: tuple[tuple[str, str, Kind], ...] = ()
    """The relations that fell, by names: with a fallen argument, or by a rule."""

    @classmethod
    def of(
        cls,
        names: Iterable[str],
        attacks: NamedPairs = (),
        supports: NamedPairs = (),
        *,
        undercuts: NamedPairs = (),
        weights: Mapping[str, float] | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> Self:
        """A graph by names. `undercuts` are further attacks, marked as such; duplicate relations count once."""
        bare = cls.numbered(names)
        weights, texts = weights or {}, texts or {}
        for name in (*weights, *texts):
            bare.number(name)
        told = replace(
            bare,
            weights=tuple(weights.get(name) for name in bare.names),
            texts=tuple(texts.get(name, "") for name in bare.names),
        )
        return told.with_relations(attacks, supports, undercuts=undercuts)

    @classmethod
    def numbered(
        cls,
        names: Iterable[str],
        attacks: Iterable[Pair] = (),
        supports: Iterable[Pair] = (),
        *,
        undercuts: Iterable[bool] | None = None,
        weights: Iterable[float | None] | None = None,
        texts: Iterable[str] | None = None,
    ) -> Self:
        """A graph by numbers: pairs of indices into `names`; duplicate relations count once.

        An attack given both with and without the undercut mark is an undercut.
        """
        names = tuple(names)
        pairs = _within(attacks, len(names), "attacks")
        marks = [False] * len(pairs) if undercuts is None else list(undercuts)
        if len(marks) != len(pairs):
            raise ArgumentError(f"{len(marks)} undercut marks for {len(pairs)} attacks")
        marked = dict.fromkeys(pairs, False)
        marked.update((pair, True) for pair, mark in zip(pairs, marks, strict=True) if mark)
        supporting = tuple(dict.fromkeys(_within(supports, len(names), "supports")))
        found = tuple(weights) if weights is not None else (None,) * len(names)
        said = tuple(texts) if texts is not None else ("",) * len(names)
        return cls(names, tuple(marked), supporting, tuple(marked.values()), found, said)

    def __post_init__(self) -> None:
        size = len(self.names)
        if len(self.index) != size:
            twice = next(name for number, name in enumerate(self.names) if self.index[name] != number)
            raise ArgumentError(f"the argument {twice!r} is there twice")
        for what, given in (("weights", self.weights), ("texts", self.texts)):
            if len(given) != size:
                raise ArgumentError(f"{len(given)} {what} for {size} arguments")
        for name, weight in zip(self.names, self.weights, strict=True):
            if weight is not None and not 0 <= weight <= 1:
                raise ArgumentError(f"the weight of {name!r} is {weight:g}, not within 0..1")

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def targets(self) -> list[list[int]]:
        """What each argument attacks."""
        found: list[list[int]] = [[] for _ in self.names]
        for source, target in self.attacks:
            found[source].append(target)
        return found

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((frozenset(self.names), len(self.attacks), len(self.supports)))

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} arguments, {len(self.attacks)} attacks, {len(self.supports)} supports>"

    def number(self, name: str) -> int:
        """The number of the argument; an unknown name is an error that suggests similar names."""
        if (number := self.index.get(name)) is not None:
            return number
        if fell := next((one for one in self.fallen if one.name == name), None):
            raise ArgumentError(f"{name} does not count any more: {fell.state}, {fell.reason}")
        import difflib

        # Comparing with a million names would take too long.
        near = difflib.get_close_matches(name, self.names[:10_000])
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ArgumentError(f"there is no argument {name!r} among the {len(self)}{hint}")

    def has_attack(self, source: int, target: int) -> bool:
        """Whether one argument attacks another, by their numbers."""
        return (source, target) in self.attacks

    def relations(self) -> Iterator[tuple[int, int, Kind]]:
        """Every relation as source, target and kind: the attacks in their order, then the supports."""
        for (source, target), undercut in zip(self.attacks, self.undercuts, strict=True):
            yield source, target, "undercut" if undercut else "attack"
        for source, target in self.supports:
            yield source, target, "support"

    def whole(self) -> Self:
        """This graph with all that was raised, for a picture: what fell has its state before its text."""
        if not (self.fallen or self.fallen_relations):
            return self
        texts = dict(zip(self.names, self.texts, strict=True))
        texts |= {one.name: f"({one.state}: {one.reason}) {one.text}" for one in self.fallen}
        weights = {name: weight for name, weight in zip(self.names, self.weights, strict=True) if weight is not None}
        pairs: dict[Kind, list[tuple[str, str]]] = {"attack": [], "undercut": [], "support": []}
        for source, target, kind in self.relations():
            pairs[kind].append((self.names[source], self.names[target]))
        for one, other, kind in self.fallen_relations:
            pairs[kind].append((one, other))
        return self.of(
            texts, pairs["attack"], pairs["support"], undercuts=pairs["undercut"], weights=weights, texts=texts
        )

    def without(self, arguments: Iterable[str] = (), attacks: NamedPairs = (), supports: NamedPairs = ()) -> Self:
        """This graph without some arguments (and their relations), attacks and supports; all must exist."""
        gone = {self.number(name) for name in arguments}
        left = [number for number in range(len(self)) if number not in gone]
        place = {number: new for new, number in enumerate(left)}
        attacks_gone = self._existing(self.attacks, attacks, "attack")
        supports_gone = self._existing(self.supports, supports, "support")
        attacking = {
            (place[one], place[other]): mark
            for (one, other), mark in zip(self.attacks, self.undercuts, strict=True)
            if one in place and other in place and (one, other) not in attacks_gone
        }
        supporting = [
            (place[one], place[other])
            for one, other in self.supports
            if one in place and other in place and (one, other) not in supports_gone
        ]
        return type(self)(
            tuple(self.names[number] for number in left),
            tuple(attacking),
            tuple(supporting),
            tuple(attacking.values()),
            tuple(self.weights[number] for number in left),
            tuple(self.texts[number] for number in left),
        )

    def with_argument(
        self,
        name: str,
        *,
        attacks: Iterable[str] = (),
        supports: Iterable[str] = (),
        attacked_by: Iterable[str] = (),
        supported_by: Iterable[str] = (),
        weight: float | None = None,
        text: str = "",
    ) -> Self:
        """This graph with one more argument; its attacks are rebuttals. It can attack or support itself."""
        larger = replace(self, names=(*self.names, name), weights=(*self.weights, weight), texts=(*self.texts, text))
        return larger.with_relations(
            attacks=[*((name, other) for other in attacks), *((other, name) for other in attacked_by)],
            supports=[*((name, other) for other in supports), *((other, name) for other in supported_by)],
        )

    def with_relations(
        self, attacks: NamedPairs = (), supports: NamedPairs = (), *, undercuts: NamedPairs = ()
    ) -> Self:
        """This graph with more relations between its arguments."""
        rebuttals, marked = self._numbers(attacks), self._numbers(undercuts)
        return self.numbered(
            self.names,
            [*self.attacks, *rebuttals, *marked],
            [*self.supports, *self._numbers(supports)],
            undercuts=[*self.undercuts, *[False] * len(rebuttals), *[True] * len(marked)],
            weights=self.weights,
            texts=self.texts,
        )

    def reweighted(self, weights: Mapping[str, float]) -> Self:
        """This graph with other base scores for some arguments."""
        changed = list(self.weights)
        for name, weight in weights.items():
            changed[self.number(name)] = weight
        return replace(self, weights=tuple(changed))

    def _numbers(self, pairs: NamedPairs) -> list[Pair]:
        return [(self.number(one), self.number(other)) for one, other in pairs]

    def _existing(self, pairs: tuple[Pair, ...], chosen: NamedPairs, what: str) -> set[Pair]:
        """The chosen pairs by number; each must exist."""
        found = set()
        for one, other in chosen:
            pair = self.number(one), self.number(other)
            if pair not in pairs:
                raise ArgumentError(f"there is no {what} of {one!r} on {other!r}")
            found.add(pair)
        return found

    def _content(self) -> tuple[Any, ...]:
        relations = {(self.names[source], self.names[target], kind) for source, target, kind in self.relations()}
        told = {name: (self.weights[at], self.texts[at]) for name, at in self.index.items()}
        return relations, told, frozenset(self.fallen), frozenset(self.fallen_relations)


def _within(values: Iterable[Pair], size: int, what: str) -> list[Pair]:
    pairs = [(one, other) for one, other in values]
    if not all(0 <= one < size and 0 <= other < size for one, other in pairs):
        raise ArgumentError(f"the {what} name an argument beyond the {size} there are")
    return pairs
