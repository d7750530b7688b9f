"""The hard semantics on one part: one extension, all of them, and one with or without a certain argument.

All numbers are local to the part. The SAT solver is fastest for a few extensions, clingo for many, so an enumeration
starts with the first and continues with the second.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

from moot.argument import asp
from moot.argument.parts import Attackers, Set, ancestors, defence, defended
from moot.argument.sat import Base, Model, Search
from moot.plugins.extras import require

require("argument")
_Found = TypeVar("_Found", Model, Set)
# The SAT solver finds this many sets before clingo takes over.
_FEW = 16


def one(attackers: Attackers, semantics: str) -> Set | None:
    """An extension; None if there is none, which happens only for stable semantics."""
    if semantics == "ID":
        return ideal(attackers)
    if semantics == "PR":
        return _preferred_over(attackers, frozenset())
    stable = _stable(attackers, [])
    if stable is not None or semantics == "ST":
        return stable
    with Search(attackers, "CO") as search:
        return search.widest_from(_expect(search.solve())).chosen


def every(attackers: Attackers, semantics: str) -> Iterator[Set]:
    """All extensions, each once."""
    if semantics == "ID":
        yield ideal(attackers)
    elif semantics == "PR":
        yield from _first_few_then(attackers, "AD", Search.maximal, asp.maximal)
    elif semantics == "CO":
        yield from _first_few_then(attackers, "CO", Search.each, asp.each)
    elif semantics == "ST" or _stable(attackers, []) is not None:
        yield from _first_few_then(attackers, "ST", Search.each, asp.each)
    else:
        with Search(attackers, "CO") as search:
            for reach in _first_few_then(attackers, "CO", Search.widest, asp.widest):
                yield from search.each([search.reached(each) for each in reach])


def with_it(attackers: Attackers, semantics: str, argument: int) -> Set | None:
    """An extension that contains the argument, or None."""
    if argument in attackers[argument]:
        return None
    if semantics == "PR":
        return _preferred_with(attackers, argument)
    return _stable_or_widest(attackers, semantics, 1 + argument)


def without_it(attackers: Attackers, semantics: str, argument: int) -> Set | None:
    """An extension that does not contain the argument, or None."""
    if semantics == "PR":
        return _preferred_without(attackers, argument)
    return _stable_or_widest(attackers, semantics, -1 - argument)


def admissible_with(attackers: Attackers, argument: int) -> Set | None:
    """A small admissible set that contains the argument, or None. Only arguments that can affect it are considered."""
    members, above = ancestors(attackers, argument)
    place = members.index(argument)
    with Search(above, "AD") as search:
        model = search.solve([search.inside(place)])
    return None if model is None else frozenset(members[each] for each in defence(above, model.chosen, place))


def ideal(attackers: Attackers) -> Set:
    """The largest admissible set that no admissible set attacks."""
    safe = _preferred_over(attackers, frozenset())
    with Search(attackers, "CO") as search:
        # Complete sets very different from the first attack much of it at the same time.
        search.prefer([literal for each in safe for literal in (search.attacked(each), -search.inside(each))])
        while safe:
            attack = search.solve_with_either([search.attacked(each) for each in safe])
            if attack is None:
                break
            safe = defended(attackers, frozenset(each for each in safe if attack.chosen.isdisjoint(attackers[each])))
    return safe


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


def _stable_or_widest(attackers: Attackers, semantics: str, literal: int) -> Set | None:
    """A stable or semi-stable set that satisfies the literal. Semi-stable sets are the stable ones, if there are any,
    and otherwise the complete ones of maximal range.

    Take a set of the widest range among those with the literal. If another set reaches further, then no set of maximal
    range with the literal has a range within that one; otherwise the set is the answer.
    """
    if semantics == "ST" or _stable(attackers, []) is not None:
        return _stable(attackers, [literal])
    with Search(attackers, "CO") as search:
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
