"""The argument graph: attacks, supports, and the base weight of each argument.

A graph is immutable; every edit returns a new one. It is independent of semantics and formats. The relations of a small
graph are kept as plain tuples: loading numpy takes longer than most questions about it. The arrays are made on demand.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from moot.argument.structure import Structure
from moot.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Pairs = NDArray[np.int32]

Pair = tuple[int, int]
Kind = Literal["attack", "undercut", "support"]
NamedPairs = Iterable[tuple[str, str]]
SMALL = 5_000
"""The number of arguments and relations up to which a graph is kept in tuples."""


class ArgumentError(ConfigError):
    """An invalid question or graph: an unknown argument, a duplicate name, a weight outside 0..1."""


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A weighted bipolar argument graph; without supports it is an abstract framework.

    Made by `Graph.of` from names or by `Graph.numbered` from numbers. Two graphs are equal if they have the same names,
    relations, weights, texts and structure, in any order.
    """

    names: tuple[str, ...]
    """Unique, in order of appearance; an argument's number is its index here."""
    attack_pairs: "tuple[Pair, ...] | Pairs" = ()
    """Attacker and attacked; every pair once. A tuple in a small graph, else the array `attacks`; like those below."""
    support_pairs: "tuple[Pair, ...] | Pairs" = ()
    """Supporter and supported; every pair once."""
    undercut_marks: "tuple[bool, ...] | NDArray[np.bool_]" = ()
    """For each attack, True if it is an undercut, False if it is a rebuttal."""
    weight_values: "tuple[float, ...] | NDArray[np.float64] | None" = None
    """Base scores in 0..1, NaN for an argument without one; None if no argument has one."""
    texts: tuple[str, ...] | None = None
    """The text of each argument, "" if unknown; None if all are unknown."""
    structure: Structure = field(default_factory=Structure)
    """Premises, conclusions and locutions, where the map has them. Semantics ignore it."""

    def __post_init__(self) -> None:
        size = len(self.names)
        if len(self.index) != size:
            twice = next(name for number, name in enumerate(self.names) if self.index[name] != number)
            raise ArgumentError(f"the argument {twice!r} is there twice")
        if len(self.undercut_marks) != len(self.attack_pairs):
            raise ArgumentError(f"{len(self.undercut_marks)} undercut marks for {len(self.attack_pairs)} attacks")
        if self.weight_values is not None and len(self.weight_values) != size:
            raise ArgumentError(f"{len(self.weight_values)} weights for {size} arguments")
        if self.texts is not None and len(self.texts) != size:
            raise ArgumentError(f"{len(self.texts)} texts for {size} arguments")

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
        structure: Structure | None = None,
    ) -> Self:
        """A graph by names. `undercuts` are further attacks, marked as such; duplicate relations count once."""
        bare = cls(tuple(names))
        rebuttals, marked = bare._numbers(attacks), bare._numbers(undercuts)
        for name in {**(weights or {}), **(texts or {})}:
            bare.number(name)
        return cls.numbered(
            bare.names,
            [*rebuttals, *marked],
            bare._numbers(supports),
            undercuts=[False] * len(rebuttals) + [True] * len(marked),
            weights=[weights.get(name, math.nan) for name in bare.names] if weights else None,
            texts=[texts.get(name, "") for name in bare.names] if texts else None,
            structure=structure,
        )

    @classmethod
    def numbered(
        cls,
        names: Iterable[str],
        attacks: "Sequence[Pair] | ArrayLike" = (),
        supports: "Sequence[Pair] | ArrayLike" = (),
        *,
        undercuts: "Sequence[bool] | ArrayLike | None" = None,
        weights: "Sequence[float] | ArrayLike | None" = None,
        texts: Iterable[str] | None = None,
        structure: Structure | None = None,
    ) -> Self:
        """A graph by numbers: pairs of indices into `names`, as lists or arrays; duplicate relations count once.

        An attack given both with and without the undercut mark is an undercut.
        """
        names = tuple(names)
        texts = None if texts is None else tuple(texts)
        given: tuple[Any, Any, Any, Any] = (attacks, supports, undercuts, weights)
        small = len(names) + len(given[0]) + len(given[1]) <= SMALL
        made: tuple[Any, Any, Any, Any] = (_in_tuples if small else _in_arrays)(names, *given)
        return cls(names, *made, texts=texts, structure=structure or Structure())

    @cached_property
    def attacks(self) -> "Pairs":
        """The attacks as an array of shape (m, 2), like `attack_pairs`."""
        return _pair_array(self.attack_pairs) if isinstance(self.attack_pairs, tuple) else self.attack_pairs

    @cached_property
    def supports(self) -> "Pairs":
        """The supports as an array of shape (k, 2), like `support_pairs`."""
        return _pair_array(self.support_pairs) if isinstance(self.support_pairs, tuple) else self.support_pairs

    @cached_property
    def undercuts(self) -> "NDArray[np.bool_]":
        """The marks as an array of shape (m,), like `undercut_marks`."""
        import numpy as np

        return _locked(np.asarray(self.undercut_marks, dtype=np.bool_))

    @cached_property
    def weights(self) -> "NDArray[np.float64] | None":
        """The weights as an array of shape (n,), like `weight_values`."""
        import numpy as np

        return None if self.weight_values is None else _locked(np.asarray(self.weight_values, dtype=np.float64))

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((frozenset(self.names), len(self.attack_pairs), len(self.support_pairs)))

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} arguments, {len(self.attack_pairs)} attacks, {len(self.support_pairs)} supports>"

    def number(self, name: str) -> int:
        """The number of the argument; an unknown name is an error that suggests similar names."""
        if (number := self.index.get(name)) is not None:
            return number
        import difflib

        # Comparing with a million names would take too long.
        near = difflib.get_close_matches(name, self.names[:10_000])
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ArgumentError(f"there is no argument {name!r} among the {len(self)}{hint}")

    def has_attack(self, source: int, target: int) -> bool:
        """Whether one argument attacks another, by their numbers."""
        return _holds(self.attack_pairs, (source, target))

    def relations(self) -> Iterator[tuple[int, int, Kind]]:
        """Every relation as source, target and kind: the attacks in their order, then the supports."""
        for (source, target), undercut in zip(plain(self.attack_pairs), plain(self.undercut_marks), strict=True):
            yield source, target, "undercut" if undercut else "attack"
        for source, target in plain(self.support_pairs):
            yield source, target, "support"

    def without(self, arguments: Iterable[str] = (), attacks: NamedPairs = (), supports: NamedPairs = ()) -> Self:
        """This graph without some arguments (and their relations), attacks and supports; all must exist."""
        gone = {self.number(name) for name in arguments}
        stay = [number for number in range(len(self)) if number not in gone]
        place = {number: new for new, number in enumerate(stay)}
        dropped = self._existing(self.attack_pairs, attacks, "attack")
        attacking = [
            ((place[pair[0]], place[pair[1]]), mark)
            for pair, mark in zip(plain(self.attack_pairs), plain(self.undercut_marks), strict=True)
            if pair[0] in place and pair[1] in place and tuple(pair) not in dropped
        ]
        dropped = self._existing(self.support_pairs, supports, "support")
        smaller = self.numbered(
            [self.names[number] for number in stay],
            [pair for pair, _ in attacking],
            [
                (place[one], place[other])
                for one, other in plain(self.support_pairs)
                if one in place and other in place and (one, other) not in dropped
            ],
            undercuts=[mark for _, mark in attacking],
            weights=None if self.weight_values is None else [self.weight_values[number] for number in stay],
            texts=None if self.texts is None else [self.texts[number] for number in stay],
        )
        if not self.structure:
            return smaller
        left = {(smaller.names[one], smaller.names[other]) for one, other in plain(smaller.support_pairs)}
        return replace(smaller, structure=self.structure.within(smaller.index, left))

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
        weights = self.weight_values
        if weights is not None or weight is not None:
            weights = (*self._weights(), math.nan if weight is None else weight)
        texts = self.texts
        if texts is not None or text:
            texts = (*(texts or ("",) * len(self)), text)
        larger = replace(self, names=(*self.names, name), weight_values=weights, texts=texts)
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
            [*plain(self.attack_pairs), *rebuttals, *marked],
            [*plain(self.support_pairs), *self._numbers(supports)],
            undercuts=[*plain(self.undercut_marks), *[False] * len(rebuttals), *[True] * len(marked)],
            weights=self.weight_values,
            texts=self.texts,
            structure=self.structure,
        )

    def reweighted(self, weights: Mapping[str, float]) -> Self:
        """This graph with other base scores for some arguments."""
        changed = self._weights()
        for name, weight in weights.items():
            changed[self.number(name)] = weight
        return replace(self, weight_values=_checked_weights(changed, self.names)) if weights else self

    def _weights(self) -> list[float]:
        return [math.nan] * len(self) if self.weight_values is None else list(plain(self.weight_values))

    def _numbers(self, pairs: NamedPairs) -> list[Pair]:
        index = self.index
        pairs = list(pairs)
        try:
            return [(index[one], index[other]) for one, other in pairs]
        except KeyError:
            return [(self.number(one), self.number(other)) for one, other in pairs]

    def _existing(self, pairs: "tuple[Pair, ...] | Pairs", chosen: NamedPairs, what: str) -> set[Pair]:
        """The chosen pairs by number; each must exist."""
        found = set()
        for one, other in chosen:
            pair = self.number(one), self.number(other)
            if not _holds(pairs, pair):
                raise ArgumentError(f"there is no {what} of {one!r} on {other!r}")
            found.add(pair)
        return found

    def _content(self) -> tuple[Any, ...]:
        named = self.names.__getitem__
        relations = {(named(source), named(target), kind) for source, target, kind in self.relations()}
        # NaN differs from itself, so absent weights are left out here.
        weighted = () if self.weight_values is None else zip(self.names, plain(self.weight_values), strict=True)
        weights = {name: weight for name, weight in weighted if not math.isnan(weight)}
        texts = {name: text for name, text in zip(self.names, self.texts or (), strict=False) if text}
        return set(self.names), relations, weights, texts, self.structure


def plain(values: Any) -> Sequence[Any]:
    """The values of a sequence or an array as plain Python values."""
    found: Sequence[Any] = values if isinstance(values, list | tuple) else values.tolist()
    return found


def _holds(pairs: "tuple[Pair, ...] | Pairs", pair: Pair) -> bool:
    return pair in pairs if isinstance(pairs, tuple) else bool((pairs == pair).all(axis=1).any())


def _in_tuples(
    names: tuple[str, ...], attacks: Any, supports: Any, undercuts: Any, weights: Any
) -> tuple[tuple[Pair, ...], tuple[Pair, ...], tuple[bool, ...], tuple[float, ...] | None]:
    """What a small graph keeps, with every relation once."""
    pairs = _checked_pairs(attacks, len(names), "attacks")
    marks = [False] * len(pairs) if undercuts is None else [bool(mark) for mark in undercuts]
    if len(marks) != len(pairs):
        raise ArgumentError(f"{len(marks)} undercut marks for {len(pairs)} attacks")
    marked: dict[Pair, bool] = {}
    for pair, mark in zip(pairs, marks, strict=True):
        marked[pair] = marked.get(pair, False) or mark
    supporting = tuple(dict.fromkeys(_checked_pairs(supports, len(names), "supports")))
    return tuple(marked), supporting, tuple(marked.values()), _checked_weights(weights, names)


def _checked_pairs(values: Any, size: int, what: str) -> list[Pair]:
    pairs = [(int(one), int(other)) for one, other in values]
    if not all(0 <= one < size and 0 <= other < size for one, other in pairs):
        raise ArgumentError(f"the {what} name an argument beyond the {size} there are")
    return pairs


def _checked_weights(values: Any, names: tuple[str, ...]) -> tuple[float, ...] | None:
    if values is None:
        return None
    weights = tuple(float(value) for value in values)
    for name, weight in zip(names, weights, strict=False):
        if weight < 0 or weight > 1:
            raise ArgumentError(f"the weight of {name!r} is {weight:g}, not within 0..1")
    return weights


def _in_arrays(
    names: tuple[str, ...], attacks: Any, supports: Any, undercuts: Any, weights: Any
) -> "tuple[Pairs, Pairs, NDArray[np.bool_], NDArray[np.float64] | None]":
    """What a large graph keeps, with every relation once."""
    import numpy as np

    size = len(names)
    pairs = _array_within(attacks, size, "attacks")
    marks = np.zeros(len(pairs), dtype=np.bool_) if undercuts is None else np.asarray(undercuts, dtype=np.bool_)
    if len(marks) != len(pairs):
        raise ArgumentError(f"{len(marks)} undercut marks for {len(pairs)} attacks")
    first, group = _first_of_each(pairs, size)
    marked = np.zeros(len(first), dtype=np.bool_)
    np.logical_or.at(marked, group[marks], True)
    supporting = _array_within(supports, size, "supports")
    supporting = supporting[_first_of_each(supporting, size)[0]]
    checked = (
        None if weights is None else np.array(_checked_weights(np.asarray(weights).tolist(), names), dtype=np.float64)
    )
    return _locked(pairs[first]), _locked(supporting), _locked(marked), None if checked is None else _locked(checked)


def _array_within(values: Any, size: int, what: str) -> "Pairs":
    pairs = _pair_array(values)
    if pairs.size and not (pairs.min() >= 0 and pairs.max() < size):
        raise ArgumentError(f"the {what} name an argument beyond the {size} there are")
    return pairs


def _pair_array(values: Any) -> "Pairs":
    import numpy as np

    return _locked(np.array(values, dtype=np.int32).reshape(-1, 2))


def _locked(array: "NDArray[Any]") -> "NDArray[Any]":
    array.setflags(write=False)
    return array


def _first_of_each(pairs: "Pairs", size: int) -> "tuple[NDArray[np.intp], NDArray[np.intp]]":
    """The index of the first occurrence of each distinct pair, in order, and for every pair the number of its
    distinct one."""
    import numpy as np

    keys = pairs[:, 0].astype(np.int64) * max(size, 1) + pairs[:, 1]
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        everything = np.arange(len(keys))
        return everything, everything
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[group]
