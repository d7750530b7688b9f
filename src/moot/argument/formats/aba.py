"""ICCMA's format for assumption-based argumentation (ABA), which is read only.

`p aba N`, then `a x` for an assumption, `c x y` for its contrary, `r h b1 b2 …` for a rule with its head first. Lines
with # are comments. Atoms are the numbers 1 to N.

The graph has an argument `x` for each assumption, and `h<-x+y` for each smallest set of assumptions that the rules lead
from to h. An argument attacks every argument that rests on an assumption whose contrary it concludes. The complete,
grounded, preferred, stable and ideal extensions of this graph are those of the framework.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from moot.argument.formats.base import FormatError, line_of, places, quoted
from moot.argument.graph import Graph
from moot.argument.structure import Derivation, Structure

MOST_ATOMS = 1_000_000
MOST_ARGUMENTS = 10_000
MOST_ATTACKS = 1_000_000
MOST_SETS = 100_000
MOST_COMPARISONS = 20_000_000
"""A few rules can lead to more arguments than fit into memory; these bounds take seconds to reach."""
SEMANTICS = frozenset({"CO", "GR", "ID", "PR", "ST"})
"""The semantics under which the graph stands for the framework."""
_HEADER = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*p[ \t]+aba[ \t]+(\d{1,9})[ \t\r]*(?:\n|\Z)", re.ASCII)
_LINE = re.compile(r"([acr])((?:[ \t]+\d{1,9})+)", re.ASCII)
_NUMBERS = {"a": "one atom", "c": "two atoms"}

# A set of assumptions, one bit for each.
Bits = int


@dataclass
class _Framework:
    size: int
    assumptions: dict[int, int] = field(default_factory=dict)
    """The line of each assumption."""
    contraries: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The contrary of each assumption, and its line."""
    rules: list[tuple[int, tuple[int, ...], int]] = field(default_factory=list)
    """Head, body and line."""


def read(text: str) -> Graph:
    framework = _framework(text)
    for assumption, (_, line) in framework.contraries.items():
        if assumption not in framework.assumptions:
            raise FormatError(f"{assumption} has a contrary and is no assumption", line)
    for head, _, line in framework.rules:
        if head in framework.assumptions:
            raise FormatError(
                f"a rule leads to the assumption {head}; only flat frameworks can be read as a graph", line
            )
    if len(framework.assumptions) > MOST_ARGUMENTS:
        raise FormatError(f"more than {MOST_ARGUMENTS:,} assumptions")
    return _graph(framework, _supports(framework))


def with_atom(graph: Graph, atom: str) -> Graph | None:
    """The graph with an argument for an atom, accepted if one of the arguments for the atom is; None if the framework
    does not speak of it.

    They attack the argument `not ATOM`, which attacks the argument `ATOM`.
    """
    reasons = graph.structure.concluding(atom)
    if reasons is None:
        return None
    return graph.with_argument(f"not {atom}", attacked_by=reasons).with_argument(atom, attacked_by=[f"not {atom}"])


def _framework(text: str) -> _Framework:
    header = _HEADER.match(text)
    if not header:
        raise FormatError("the first line that is no comment has to be: p aba <number of atoms>")
    framework = _Framework(int(header[1]))
    if framework.size > MOST_ATOMS:
        raise FormatError(f"more than {MOST_ATOMS:,} atoms")
    first = line_of(text, header.start(1)) + 1
    for number, line in enumerate(text[header.end() :].split("\n"), first):
        said = line.strip(" \t\r")
        if said and not said.startswith("#"):
            _add(framework, said, number)
    return framework


def _add(framework: _Framework, said: str, line: int) -> None:
    found = _LINE.fullmatch(said)
    if not found:
        raise FormatError(f"{quoted(said)} is none of: a x, c x y, r h b1 b2 …", line)
    kind, atoms = found[1], [int(word) for word in found[2].split()]
    if wrong := [atom for atom in atoms if not 1 <= atom <= framework.size]:
        raise FormatError(f"there is no atom {wrong[0]} among the {framework.size}", line)
    if kind in _NUMBERS and len(atoms) != 1 + (kind == "c"):
        raise FormatError(f"{len(atoms)} numbers, where {kind} has {_NUMBERS[kind]}", line)
    if kind == "a":
        framework.assumptions.setdefault(atoms[0], line)
    elif kind == "r":
        framework.rules.append((atoms[0], tuple(dict.fromkeys(atoms[1:])), line))
    elif framework.contraries.setdefault(atoms[0], (atoms[1], line))[0] != atoms[1]:
        raise FormatError(f"the assumption {atoms[0]} has two contraries", line)


def _supports(framework: _Framework) -> dict[int, list[Bits]]:
    """For each atom the smallest sets of assumptions that the rules lead from to it."""
    work = _Work()
    found: dict[int, list[Bits]] = {atom: [1 << place] for place, atom in enumerate(framework.assumptions)}
    users: dict[int, list[int]] = {}
    for place, (_, body, _) in enumerate(framework.rules):
        for atom in body:
            users.setdefault(atom, []).append(place)
    total = len(found)
    open_ = dict.fromkeys(range(len(framework.rules)))
    while open_:
        place = next(iter(open_))
        del open_[place]
        head, body, _ = framework.rules[place]
        sets: list[Bits] = [0]
        for atom in sorted(body, key=lambda one: len(found.get(one, ()))):
            sets = work.smallest(one | other for one in sets for other in found.get(atom, ()))
        before = found.get(head, [])
        after = work.merged(before, sets)
        if after != before:
            found[head] = after
            open_.update(dict.fromkeys(users.get(head, ())))
            total += len(after) - len(before)
            if total > MOST_ARGUMENTS:
                raise FormatError(f"the rules lead to more than {MOST_ARGUMENTS:,} arguments")
    return {atom: found[atom] for atom in sorted(found) if found[atom]}


@dataclass
class _Work:
    comparisons: int = 0

    def smallest(self, sets: Iterable[Bits]) -> list[Bits]:
        """The sets that contain no other, in a fixed order."""
        kept: list[Bits] = []
        distinct = set()
        for one in sets:
            distinct.add(one)
            if len(distinct) > MOST_SETS:
                raise self.too_much()
        for one in sorted(distinct, key=lambda bits: (bits.bit_count(), bits)):
            self.count(len(kept))
            if not any(one & other == other for other in kept):
                kept.append(one)
        return kept

    def merged(self, before: list[Bits], sets: list[Bits]) -> list[Bits]:
        """The smallest of both, each of which contains no other of its own."""
        self.count(2 * len(before) * len(sets))
        new = [one for one in sets if not any(one & other == other for other in before)]
        return [*(other for other in before if not any(one & other == one for one in new)), *new] if new else before

    def count(self, comparisons: int) -> None:
        self.comparisons += comparisons + 1
        if self.comparisons > MOST_COMPARISONS:
            raise self.too_much()

    @staticmethod
    def too_much() -> FormatError:
        return FormatError("the rules lead from too many sets of assumptions to be read as a graph")


def _graph(framework: _Framework, supports: dict[int, list[Bits]]) -> Graph:
    order = list(framework.assumptions)
    arguments = [
        (atom, [order[place] for place in places(bits)]) for atom, several in supports.items() for bits in several
    ]
    assumed = framework.assumptions
    names = [str(atom) if atom in assumed else f"{atom}<-{'+'.join(map(str, basis))}" for atom, basis in arguments]
    resting: dict[int, list[int]] = {}
    concluding: dict[int, list[int]] = {}
    for number, (atom, basis) in enumerate(arguments):
        concluding.setdefault(atom, []).append(number)
        for one in basis:
            resting.setdefault(one, []).append(number)
    pairs = [(concluding.get(contrary, []), resting[one]) for one, (contrary, _) in framework.contraries.items()]
    if sum(len(sources) * len(targets) for sources, targets in pairs) > MOST_ATTACKS:
        raise FormatError(f"the rules lead to more than {MOST_ATTACKS:,} attacks")
    attacks = [(source, target) for sources, targets in pairs for source in sources for target in targets]
    named = dict(zip(order, map(str, order), strict=True))
    derivations = {
        name: Derivation(str(atom), () if atom in assumed else tuple(named[one] for one in basis))
        for name, (atom, basis) in zip(names, arguments, strict=True)
    }
    underived = frozenset(str(atom) for atom in range(1, framework.size + 1) if atom not in supports)
    return Graph.numbered(names, attacks, structure=Structure(derivations=derivations, underived=underived))
