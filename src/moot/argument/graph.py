"""The argument graph: attacks, supports, and the base weight of each argument.

A graph is immutable; every edit returns a new one. It is independent of semantics and formats.
"""

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moot.argument.structure import Structure
from moot.errors import ConfigError

Pairs = NDArray[np.int32]
NamedPairs = Iterable[tuple[str, str]]


class ArgumentError(ConfigError):
    """An invalid question or graph: an unknown argument, a duplicate name, a weight outside 0..1."""


def _no_pairs() -> Pairs:
    return np.empty((0, 2), dtype=np.int32)


def _no_marks() -> NDArray[np.bool_]:
    return np.empty(0, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Graph:
    """A weighted bipolar argument graph; without supports it is an abstract framework.

    Made by `Graph.of` from names or by `Graph.numbered` from arrays. Two graphs are equal if they have the same names,
    relations, weights, texts and structure, in any order.
    """

    names: tuple[str, ...]
    """Unique, in order of appearance; an argument's number is its index here."""
    attacks: Pairs = field(default_factory=_no_pairs)
    """Shape (m, 2): attacker, attacked; every pair once."""
    supports: Pairs = field(default_factory=_no_pairs)
    """Shape (k, 2): supporter, supported; every pair once."""
    undercuts: NDArray[np.bool_] = field(default_factory=_no_marks)
    """Shape (m,): True where the attack is an undercut, False where it is a rebuttal."""
    weights: NDArray[np.float64] | None = None
    """Shape (n,): base scores in 0..1, NaN for an argument without one; None if no argument has one."""
    texts: tuple[str, ...] | None = None
    """Shape (n,): the text of each argument, "" if unknown; None if all are unknown."""
    structure: Structure = field(default_factory=Structure)
    """Premises, conclusions and locutions, where the map has them. Semantics ignore it."""

    def __post_init__(self) -> None:
        size = len(self.names)
        if len(self.index) != size:
            twice = next(name for number, name in enumerate(self.names) if self.index[name] != number)
            raise ArgumentError(f"the argument {twice!r} is there twice")
        for what in ("attacks", "supports"):
            object.__setattr__(self, what, _pairs(getattr(self, what), size, what))
        marks = np.array(self.undercuts, dtype=np.bool_)
        if marks.shape != (len(self.attacks),):
            raise ArgumentError(f"{len(marks)} undercut marks for {len(self.attacks)} attacks")
        marks.setflags(write=False)
        object.__setattr__(self, "undercuts", marks)
        if self.weights is not None:
            object.__setattr__(self, "weights", _weights(self.weights, self.names))
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
        plain, marked = bare._numbers(attacks), bare._numbers(undercuts)
        for name in {**(weights or {}), **(texts or {})}:
            bare.number(name)
        return cls.numbered(
            bare.names,
            np.concatenate([plain, marked]),
            bare._numbers(supports),
            undercuts=np.repeat([False, True], [len(plain), len(marked)]),
            weights=[weights.get(name, np.nan) for name in bare.names] if weights else None,
            texts=[texts.get(name, "") for name in bare.names] if texts else None,
            structure=structure,
        )

    @classmethod
    def numbered(
        cls,
        names: Iterable[str],
        attacks: ArrayLike = (),
        supports: ArrayLike = (),
        *,
        undercuts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        texts: Iterable[str] | None = None,
        structure: Structure | None = None,
    ) -> Self:
        """A graph by numbers, for large ones: pairs of indices into `names`; duplicate relations count once.

        An attack given both with and without the undercut mark is an undercut.
        """
        names = tuple(names)
        pairs = _pairs(attacks, len(names), "attacks")
        marks = np.zeros(len(pairs), dtype=np.bool_) if undercuts is None else np.asarray(undercuts, dtype=np.bool_)
        if len(marks) != len(pairs):
            raise ArgumentError(f"{len(marks)} undercut marks for {len(pairs)} attacks")
        first, group = _first_of_each(pairs, len(names))
        marked = np.zeros(len(first), dtype=np.bool_)
        np.logical_or.at(marked, group[marks], True)
        supporting = _pairs(supports, len(names), "supports")
        return cls(
            names,
            pairs[first],
            supporting[_first_of_each(supporting, len(names))[0]],
            marked,
            None if weights is None else np.asarray(weights, dtype=np.float64),
            None if texts is None else tuple(texts),
            structure or Structure(),
        )

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
        return hash((frozenset(self.names), len(self.attacks), len(self.supports)))

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} arguments, {len(self.attacks)} attacks, {len(self.supports)} supports>"

    def number(self, name: str) -> int:
        """The number of the argument; an unknown name is an error that suggests similar names."""
        if (number := self.index.get(name)) is not None:
            return number
        # Comparing with a million names would take too long.
        near = difflib.get_close_matches(name, self.names[:10_000])
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ArgumentError(f"there is no argument {name!r} among the {len(self)}{hint}")

    def without(self, arguments: Iterable[str] = (), attacks: NamedPairs = (), supports: NamedPairs = ()) -> Self:
        """This graph without some arguments (and their relations), attacks and supports; all must exist."""
        mask = np.ones(len(self), dtype=np.bool_)
        mask[[self.number(name) for name in arguments]] = False
        attacking = mask[self.attacks].all(axis=1) & ~self._among(self.attacks, attacks, "attack")
        supporting = mask[self.supports].all(axis=1) & ~self._among(self.supports, supports, "support")
        place = np.cumsum(mask, dtype=np.int32) - 1
        smaller = replace(
            self,
            names=tuple(name for name, stays in zip(self.names, mask, strict=True) if stays),
            attacks=place[self.attacks[attacking]],
            supports=place[self.supports[supporting]],
            undercuts=self.undercuts[attacking],
            weights=None if self.weights is None else self.weights[mask],
            texts=None
            if self.texts is None
            else tuple(text for text, stays in zip(self.texts, mask, strict=True) if stays),
            structure=Structure(),
        )
        if not self.structure:
            return smaller
        left = {(smaller.names[one], smaller.names[other]) for one, other in smaller.supports.tolist()}
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
        weights = self.weights
        if weights is not None or weight is not None:
            before = np.full(len(self), np.nan) if weights is None else weights
            weights = np.append(before, np.nan if weight is None else weight)
        texts = self.texts
        if texts is not None or text:
            texts = (*(texts or ("",) * len(self)), text)
        larger = replace(self, names=(*self.names, name), weights=weights, texts=texts)
        return larger.with_relations(
            attacks=[*((name, other) for other in attacks), *((other, name) for other in attacked_by)],
            supports=[*((name, other) for other in supports), *((other, name) for other in supported_by)],
        )

    def with_relations(
        self, attacks: NamedPairs = (), supports: NamedPairs = (), *, undercuts: NamedPairs = ()
    ) -> Self:
        """This graph with more relations between its arguments."""
        plain, marked = self._numbers(attacks), self._numbers(undercuts)
        return self.numbered(
            self.names,
            np.concatenate([self.attacks, plain, marked]),
            np.concatenate([self.supports, self._numbers(supports)]),
            undercuts=np.concatenate([self.undercuts, np.repeat([False, True], [len(plain), len(marked)])]),
            weights=self.weights,
            texts=self.texts,
            structure=self.structure,
        )

    def reweighted(self, weights: Mapping[str, float]) -> Self:
        """This graph with other base scores for some arguments."""
        changed = np.full(len(self), np.nan) if self.weights is None else self.weights.copy()
        for name, weight in weights.items():
            changed[self.number(name)] = weight
        return replace(self, weights=changed) if weights else self

    def _numbers(self, pairs: NamedPairs) -> Pairs:
        index = self.index
        pairs = list(pairs)
        try:
            flat = [(index[one], index[other]) for one, other in pairs]
        except KeyError:
            flat = [(self.number(one), self.number(other)) for one, other in pairs]
        return np.array(flat, dtype=np.int32).reshape(-1, 2)

    def _among(self, pairs: Pairs, chosen: NamedPairs, what: str) -> NDArray[np.bool_]:
        """A mask of the chosen pairs; each chosen pair must exist."""
        mask = np.zeros(len(pairs), dtype=np.bool_)
        for one, other in chosen:
            same = (pairs == (self.number(one), self.number(other))).all(axis=1)
            if not same.any():
                raise ArgumentError(f"there is no {what} of {one!r} on {other!r}")
            mask |= same
        return mask

    def _content(self) -> tuple[Any, ...]:
        named = self.names.__getitem__
        attacks = {(named(a), named(b)): u for (a, b), u in zip(self.attacks.tolist(), self.undercuts, strict=True)}
        supports = {(named(a), named(b)) for a, b in self.supports.tolist()}
        # NaN differs from itself, so absent weights are left out here.
        weighted = () if self.weights is None else zip(self.names, self.weights.tolist(), strict=True)
        weights = {name: weight for name, weight in weighted if not math.isnan(weight)}
        texts = {name: text for name, text in zip(self.names, self.texts or (), strict=False) if text}
        return set(self.names), attacks, supports, weights, texts, self.structure


def _pairs(values: ArrayLike, size: int, what: str) -> Pairs:
    pairs = np.array(values, dtype=np.int32).reshape(-1, 2)
    if pairs.size and not (pairs.min() >= 0 and pairs.max() < size):
        raise ArgumentError(f"the {what} name an argument beyond the {size} there are")
    pairs.setflags(write=False)
    return pairs


def _weights(values: ArrayLike, names: tuple[str, ...]) -> NDArray[np.float64]:
    weights = np.array(values, dtype=np.float64)
    if weights.shape != (len(names),):
        raise ArgumentError(f"{len(weights)} weights for {len(names)} arguments")
    if (wrong := np.flatnonzero((weights < 0) | (weights > 1))).size:
        raise ArgumentError(f"the weight of {names[wrong[0]]!r} is {weights[wrong[0]]:g}, not within 0..1")
    weights.setflags(write=False)
    return weights


def _first_of_each(pairs: Pairs, size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The index of the first occurrence of each distinct pair, in order, and for every pair the number of its
    distinct one."""
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
