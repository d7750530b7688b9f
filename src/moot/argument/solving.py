"""The hard semantics on one part: one extension, all of them, and one with or without a certain argument.

All numbers are local to the part. The SAT solver is fastest for a few extensions, clingo for many, so an enumeration
starts with the first and continues with the second.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from moot.argument import asp, cf2
from moot.argument.parts import Attackers, Set, ancestors, attacked_by, defence, defended, naive
from moot.argument.sat import Base, Model, Search

_Found = TypeVar("_Found", Model, Set)
# The SAT solver finds this many sets before clingo takes over.
_FEW = 16
# Semi-stable sets are the complete ones of maximal range, stage sets the conflict-free ones.
_WIDE: dict[str, Base] = {"SST": "CO", "STG": "CF"}


def one(attackers: Attackers, semantics: str) -> Set | None:
    """An extension; None if there is none, which happens only for stable semantics."""
    if semantics == "NA":
        return naive(attackers, range(len(attackers)))
    if semantics == "CF2":
        return next(every(attackers, semantics))
    if semantics == "ID":
        return ideal(attackers)
    if semantics == "EA":
        return eager(attackers)
    if semantics == "PR":
        return _preferred_over(attackers, frozenset())
    if semantics == "ST":
        return _stable(attackers, [])
    if (stable := _stable(attackers, [])) is not None:
        return stable
    with Search(attackers, _WIDE[semantics]) as search:
        return search.widest_from(_expect(search.solve())).chosen


def every(attackers: Attackers, semantics: str) -> Iterator[Set]:
    """All extensions, each once."""
    if semantics in ("ID", "EA"):
        yield _expect(one(attackers, semantics))
    elif semantics == "CF2":
        yield from cf2.every(attackers, lambda inner: every(inner, "NA"))
    elif semantics in ("CF", "AD", "CO", "ST"):
        yield from _first_few_then(attackers, semantics, Search.each, asp.each)  # type: ignore[arg-type]
    elif semantics in ("NA", "PR"):
        base: Base = "CF" if semantics == "NA" else "AD"
        yield from _first_few_then(attackers, base, Search.maximal, asp.maximal)
    elif _stable(attackers, []) is not None:
        yield from every(attackers, "ST")
    else:
        base = _WIDE[semantics]
        with Search(attackers, base) as search:
            for reach in _first_few_then(attackers, base, Search.widest, asp.widest):
                yield from search.each([search.reached(each) for each in reach])


def number(attackers: Attackers, semantics: str) -> int:
    """The number of extensions."""
    if semantics in ("CF", "AD", "CO", "ST"):
        return asp.count(attackers, semantics)  # type: ignore[arg-type]
    if semantics in ("NA", "PR"):
        return asp.count(attackers, "CF" if semantics == "NA" else "AD", maximal=True)
    return sum(1 for _ in every(attackers, semantics))


def with_it(attackers: Attackers, semantics: str, argument: int) -> Set | None:
    """An extension that contains the argument, or None."""
    if argument in attackers[argument]:
        return None
    if semantics == "NA":
        return naive(attackers, [argument, *range(len(attackers))])
    if semantics == "PR":
        return _preferred_with(attackers, argument)
    if semantics == "CF2":
        return next((found for found in every(attackers, semantics) if argument in found), None)
    if semantics == "ST":
        return _stable(attackers, [1 + argument])
    return _wide(attackers, semantics, 1 + argument)


def without_it(attackers: Attackers, semantics: str, argument: int) -> Set | None:
    """An extension that does not contain the argument, or None."""
    if semantics == "NA":
        return _naive_without(attackers, argument)
    if semantics == "PR":
        return _preferred_without(attackers, argument)
    if semantics == "CF2":
        return next((found for found in every(attackers, semantics) if argument not in found), None)
    if semantics == "ST":
        return _stable(attackers, [-1 - argument])
    return _wide(attackers, semantics, -1 - argument)


def admissible_with(attackers: Attackers, argument: int) -> Set | None:
    """A small admissible set that contains the argument, or None. Only arguments that can affect it are considered."""
    members, above = ancestors(attackers, argument)
    place = members.index(argument)
    with Search(above, "AD") as search:
        model = search.solve([search.inside(place)])
    return None if model is None else frozenset(members[each] for each in defence(above, model.chosen, place))


def ideal(attackers: Attackers) -> Set:
    """The largest admissible set that no admissible set attacks."""
    safe = _expect(one(attackers, "PR"))
    with Search(attackers, "CO") as search:
        # Complete sets very different from the first attack much of it at the same time.
        search.prefer([literal for each in safe for literal in (search.attacked(each), -search.inside(each))])
        while safe:
            attack = search.solve_with_either([search.attacked(each) for each in safe])
            if attack is None:
                break
            safe = defended(attackers, frozenset(each for each in safe if attack.chosen.isdisjoint(attackers[each])))
    return safe


def eager(attackers: Attackers) -> Set:
    """The largest admissible set within every semi-stable one."""
    common = _stable(attackers, [])
    if common is not None:
        return defended(attackers, _in_all(attackers, "ST", common, [frozenset()]))
    common = _expect(one(attackers, "SST"))
    ranges = _first_few_then(attackers, "CO", Search.widest, asp.widest)
    return defended(attackers, _in_all(attackers, "CO", common, ranges))


def _in_all(attackers: Attackers, base: Base, common: Set, ranges: Iterable[Set]) -> Set:
    """The part of a set that is in all sets of a kind that reach at least one of these ranges."""
    with Search(attackers, base) as search:
        search.prefer([-search.inside(each) for each in common])
        for reach in ranges:
            assumed = [search.reached(each) for each in reach]
            while (other := search.solve_with_either([-search.inside(each) for each in common], assumed)) is not None:
                common &= other.chosen
            if not common:
                break
    return common


def _first_few_then(
    attackers: Attackers,
    base: Base,
    few: Callable[[Search], Iterator[Set]],
    rest: Callable[[Attackers, Base, list[Set]], Iterator[Set]],
) -> Iterator[Set]:
    known = []
    with Search(attackers, base) as search:
        for members in islice(few(search), _FEW):
            known.append(members)
            yield members
    if len(known) == _FEW:
        yield from rest(attackers, base, known)


def _stable(attackers: Attackers, assumed: list[int]) -> Set | None:
    with Search(attackers, "ST") as search:
        model = search.solve(assumed)
    return None if model is None else model.chosen


def _preferred_with(attackers: Attackers, argument: int) -> Set | None:
    held = admissible_with(attackers, argument)
    return None if held is None else _preferred_over(attackers, held)


def _preferred_without(attackers: Attackers, argument: int) -> Set | None:
    """A counter-example to sceptical acceptance.

    Two admissible sets that do not attack each other form one together, so a preferred set without the argument attacks
    every admissible set with it. Candidates must attack each such set found so far. The first candidate that the
    argument cannot join is made maximal. Only arguments that can affect this one are searched.
    """
    members, above = ancestors(attackers, argument)
    place = members.index(argument)
    with Search(above, "AD") as search:
        inside = search.inside(place)
        if (joined := search.solve([inside])) is not None:
            # A set that attacks the argument is a quick answer. There is no need to look for one if no set contains it.
            if (attacking := search.solve([search.attacked(place)])) is not None:
                return _preferred_over(attackers, frozenset(members[each] for each in attacking.chosen))
            search.require([search.attacked(each) for each in defence(above, joined.chosen, place)])
        candidate = search.solve([-inside])
        while candidate is not None:
            joined = search.solve([inside, *(search.inside(each) for each in candidate.chosen)])
            if joined is None:
                break
            search.require([search.attacked(each) for each in defence(above, joined.chosen, place)])
            candidate = search.solve([-inside])
        if candidate is None:
            return None
        counter = search.largest_from(candidate).chosen
    if len(members) == len(attackers):
        return counter
    return _preferred_over(attackers, frozenset(members[each] for each in counter))


def _preferred_over(attackers: Attackers, held: Set) -> Set:
    """A preferred set that contains an admissible one."""
    with Search(attackers, "AD") as search:
        start = search.solve([search.inside(each) for each in held])
        return search.largest_from(_expect(start)).chosen


def _naive_without(attackers: Attackers, argument: int) -> Set | None:
    everything = range(len(attackers))
    if argument in attackers[argument]:
        return naive(attackers, everything)
    for rival in (*attackers[argument], *attacked_by(attackers)[argument]):
        if rival not in attackers[rival]:
            return naive(attackers, [rival, *everything])
    return None


def _wide(attackers: Attackers, semantics: str, literal: int) -> Set | None:
    """A semi-stable or stage set that satisfies the literal.

    Take a set of the widest range among those with the literal. If another set reaches further, then no set of maximal
    range with the literal has a range within that one; otherwise the set is the answer.
    """
    if _stable(attackers, []) is not None:
        return _stable(attackers, [literal])
    with Search(attackers, _WIDE[semantics]) as search:
        while (model := search.solve([literal])) is not None:
            model = search.widest_from(model, [literal])
            wider = search.wider(model)
            if wider is None:
                return model.chosen
            search.require_wider_than(search.widest_from(wider).range)
    return None


def _expect(found: _Found | None) -> _Found:
    if found is None:  # the empty set is admissible, and every admissible set is part of a preferred one
        raise AssertionError("the solver denies a set that must be there")
    return found
