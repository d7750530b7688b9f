"""Enumerates many extensions of one part with an answer-set solver (clingo), whose speed does not drop as it goes."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Literal

from moot.argument.parts import Attackers, Set

if TYPE_CHECKING:
    from clingo.backend import Backend
    from clingo.control import Control
    from clingo.solving import Model
    from clingo.symbol import Symbol

Base = Literal["AD", "CO", "ST"]
_Most = Literal["none", "in", "range"]
# The default setting takes twice as long over thousands of extensions.
_SETTING = ("--configuration=jumpy",)
# Domain heuristics make the first model maximal; this mode then excludes its subsets.
_MAXIMAL = ("--heuristic=Domain", "--enum-mode=domRec")


def each(attackers: Attackers, base: Base, known: Collection[Set] = ()) -> Iterator[Set]:
    """All sets of one kind except the known ones."""
    return _models(attackers, base, known, "none")


def maximal(attackers: Attackers, base: Base, known: Collection[Set] = ()) -> Iterator[Set]:
    """All maximal sets of one kind except the known ones."""
    return _models(attackers, base, known, "in")


def widest(attackers: Attackers, base: Base, known: Collection[Set] = ()) -> Iterator[Set]:
    """All maximal ranges of the sets of one kind except the known ones."""
    return _models(attackers, base, known, "range")


def _models(attackers: Attackers, base: Base, known: Collection[Set], most: _Most) -> Iterator[Set]:
    control, symbols = _control(attackers, base, known, most)
    members_of = _reader(symbols)
    last = None
    with control.solve(yield_=True) as handle:
        for model in handle:
            members = members_of(model)
            if members == last:  # the range is already decided, and several sets have it
                return
            yield members
            last = members


def _control(attackers: Attackers, base: Base, known: Collection[Set], most: _Most) -> "tuple[Control, list[Symbol]]":
    """A solver for the sets, and the symbol of each argument."""
    from clingo.backend import HeuristicType
    from clingo.control import Control
    from clingo.symbol import Function

    size = len(attackers)
    # Only the requested atoms have symbols: reading the true symbols of a model is many times faster than reading each
    # atom.
    symbols = [Function(f"a{one}") for one in range(size)]
    # If propagation decides everything, clingo warns that the mode is not needed: ignore it.
    control = Control(["0", *_SETTING, *(_MAXIMAL if most != "none" else ())], logger=lambda _code, _message: None)
    with control.backend() as backend:
        inside = [backend.add_atom(None if most == "range" else symbol) for symbol in symbols]
        attacked = [backend.add_atom() for _ in symbols]
        _rules(backend, attackers, base, inside, attacked)
        shown = inside
        if most == "range":
            shown = [backend.add_atom(symbol) for symbol in symbols]
            for one, reached in enumerate(shown):
                backend.add_rule([reached], [inside[one]])
                backend.add_rule([reached], [attacked[one]])
        for old in known:
            if most == "none":
                backend.add_rule([], [shown[one] if one in old else -shown[one] for one in range(size)])
            else:
                backend.add_rule([], [-shown[one] for one in range(size) if one not in old])
        if most != "none":
            for atom in shown:
                backend.add_heuristic(atom, HeuristicType.True_, 1, 1, [])
    return control, symbols


def _reader(symbols: "list[Symbol]") -> "Callable[[Model], Set]":
    """Reads the arguments whose symbols are true in a model.

    Clingo's own Python list of symbols takes four times as long as the search, so they are read past it. Where another
    version has other inner parts, the list has to do.
    """
    by_symbol = {symbol: one for one, symbol in enumerate(symbols)}
    try:
        from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]

        by_number = {symbol._rep: one for one, symbol in enumerate(symbols)}  # noqa: SLF001
        kind, size_of, read = _lib.clingo_show_type_atoms, _lib.clingo_model_symbols_size, _lib.clingo_model_symbols
    except (ImportError, AttributeError):
        return lambda model: frozenset([by_symbol[symbol] for symbol in model.symbols(atoms=True)])

    def quickly(model: "Model") -> Set:
        size = _ffi.new("size_t*")
        size_of(model._rep, kind, size)  # noqa: SLF001
        found = _ffi.new("clingo_symbol_t[]", size[0])
        read(model._rep, kind, found, size[0])  # noqa: SLF001
        return frozenset([by_number[number] for number in found])

    return quickly


def _rules(backend: "Backend", attackers: Attackers, base: Base, inside: list[int], attacked: list[int]) -> None:
    for one, sources in enumerate(attackers):
        for source in sources:
            backend.add_rule([attacked[one]], [inside[source]])
        if base == "ST":
            backend.add_rule([inside[one]], [-attacked[one]])
            continue
        backend.add_rule([inside[one]], [], choice=True)
        backend.add_rule([], [inside[one], attacked[one]])
        for source in sources:
            backend.add_rule([], [inside[one], -attacked[source]])
        if base == "CO":
            backend.add_rule([], [-inside[one], *(attacked[source] for source in sources)])
