"""ASPIC+ theories in the text form of TweetyProject, which are read only.

`-> a` is an axiom and `=> a` an ordinary premise; `a, b -> c` is a strict rule and `d1: a, b => c` a defeasible one;
`!a` (or `-a`, `~a`) is the negation of a, and `!d1` says that rule d1 does not apply. `d1 < d2 < d3` are preferences
between rules or between ordinary premises, the weakest first. Lines with # or % are comments.

The graph has an argument `c<-1`, `c<-2`, … for each way to conclude c, with its last step as text. The attacks are the
defeats of Modgil and Prakken (2013): undercutting, undermining, and rebutting of defeasible conclusions. With
preferences, an attack of the last two kinds fails if the attacker is weaker, by the last link and the elitist order.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise, product
from operator import or_

from moot.argument.formats.base import FormatError, places, quoted
from moot.argument.graph import Graph
from moot.argument.structure import Derivation, Structure

MOST_ARGUMENTS = 10_000
MOST_ATTACKS = 1_000_000
MOST_TRIED = 1_000_000
"""A few rules can lead to more arguments than fit into memory; these bounds take seconds to reach. Tries count by their
premises."""
_WORD = r"\w+"
_LITERAL = re.compile(rf"\s*((?:[!~-]\s*)*)({_WORD})\s*")
_RULE = re.compile(rf"(?:\s*({_WORD})\s*:)?([^<>:]*?)(->|=>)([^<>:]*)")
_ORDER = re.compile(rf"\s*{_WORD}\s*(?:<\s*{_WORD}\s*)+")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; without a body a premise, which is an axiom if it is strict."""

    name: str
    body: tuple[str, ...]
    head: str
    strict: bool
    line: int
    number: int


# A set of rules, literals or arguments by their numbers, one bit for each.
Bits = int
Preferences = dict[int, Bits]
"""For the number of a rule that preferences name, the rules that it is weaker than."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """`below` are the arguments for its premises, `concluded` the literals that it and its parts conclude, `last` its
    last defeasible rules, and `premises` its ordinary premises."""

    rule: Rule
    below: tuple[int, ...]
    concluded: Bits
    last: Bits
    premises: Bits


def read(text: str) -> Graph:
    rules, preferences = _theory(text)
    builder = _Builder()
    builder.build(rules)
    arguments = builder.found
    if not arguments:
        raise FormatError("there is no premise in it that an argument could start from: => a")
    numbers: dict[str, int] = {}
    names, texts = [], []
    for one in arguments:
        head = one.rule.head
        numbers[head] = numbers.get(head, 0) + 1
        names.append(f"{head}<-{numbers[head]}")
        arrow = "->" if one.rule.strict else "=>"
        below = ", ".join(names[other] for other in one.below)
        texts.append(f"{one.rule.name}: {below} {arrow} {head}" if below else f"{arrow} {head}")
    attacks, undercuts = _defeats(arguments, preferences)
    derivations = {
        name: Derivation(one.rule.head, tuple(names[part] for part in one.below))
        for name, one in zip(names, arguments, strict=True)
    }
    spoken_of = {literal for rule in rules for literal in (rule.head, *rule.body)}
    underived = frozenset({*spoken_of, *map(_negated, spoken_of)} - set(numbers))
    structure = Structure(derivations=derivations, underived=underived)
    return Graph.numbered(names, attacks, undercuts=undercuts, texts=texts, structure=structure)


def _theory(text: str) -> tuple[list[Rule], Preferences]:
    rules: list[Rule] = []
    ordered: list[tuple[list[str], int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip()
        if not said or said[0] in "#%":
            continue
        if _ORDER.fullmatch(said):
            ordered.append(([word.strip() for word in said.split("<")], number))
        elif found := _RULE.fullmatch(said):
            rules.append(_rule(found, number, len(rules)))
        else:
            raise FormatError(f"{quoted(said)} is none of: a, b -> c; a, b => c; name: a => b; name < name", number)
    rules = _named(rules)
    return rules, _preferences(rules, ordered)


def _rule(found: re.Match[str], line: int, number: int) -> Rule:
    name, body, arrow, head = found.groups()
    literals = tuple(dict.fromkeys(_literal(one, line) for one in body.split(","))) if body.strip() else ()
    return Rule(name or "", literals, _literal(head, line), arrow == "->", line, number)


def _literal(text: str, line: int) -> str:
    found = _LITERAL.fullmatch(text)
    if not found:
        raise FormatError(f"{quoted(text.strip())} is not a literal: a word, or ! and a word", line)
    return f"{'!' * (len(''.join(found[1].split())) % 2)}{found[2]}"


def _negated(literal: str) -> str:
    return literal[1:] if literal[0] == "!" else f"!{literal}"


def _named(rules: list[Rule]) -> list[Rule]:
    """The rules, those without a name called by their line: r3."""
    taken: set[str] = set()
    for rule in rules:
        if rule.name in taken:
            raise FormatError(f"there are two rules called {quoted(rule.name)}", rule.line)
        taken |= {rule.name} - {""}
    free = {rule.line: f"r{rule.line}" if f"r{rule.line}" not in taken else f"line {rule.line}" for rule in rules}
    return [replace(rule, name=rule.name or free[rule.line]) for rule in rules]


def _preferences(rules: list[Rule], ordered: list[tuple[list[str], int]]) -> Preferences:
    numbers = {rule.name: rule.number for rule in rules if not rule.strict}
    direct: dict[int, set[int]] = {}
    for names, line in ordered:
        if unknown := next((name for name in names if name not in numbers), None):
            raise FormatError(f"there is no defeasible rule or ordinary premise called {quoted(unknown)}", line)
        for one, other in pairwise(names):
            direct.setdefault(numbers[one], set()).add(numbers[other])
    stronger: Preferences = {}
    try:
        for number in TopologicalSorter(direct).static_order():  # the strongest first
            stronger[number] = 0
            for above in direct.get(number, ()):
                stronger[number] |= 1 << above | stronger[above]
    except CycleError as error:
        circle = " < ".join(rules[number].name for number in error.args[1])
        raise FormatError(f"the preferences go round in a circle: {quoted(circle)}") from None
    return stronger


@dataclass(slots=True)
class _Builder:
    """Builds every argument, the shorter first. None uses its own conclusion as a premise."""

    found: list[_Argument] = field(default_factory=list)
    by_head: dict[str, list[int]] = field(default_factory=dict)
    literals: dict[str, int] = field(default_factory=dict)
    tried: int = 0

    def build(self, rules: list[Rule]) -> None:
        users: dict[str, list[Rule]] = {}
        missing = {rule.number: len(rule.body) for rule in rules}
        for rule in rules:
            for literal in rule.body:
                users.setdefault(literal, []).append(rule)
            if not rule.body:
                self.add(rule, ())
        for place, new in enumerate(self.found):  # which grows on the way
            head = new.rule.head
            for rule in users.get(head, ()):
                missing[rule.number] -= self.by_head[head][0] == place
                if not missing[rule.number]:  # else it would be looked through in vain for each of its premises
                    self.combine(rule, place)

    def combine(self, rule: Rule, newest: int) -> None:
        """Add the arguments by a rule of which this is the newest part: all others are older."""
        head = self.found[newest].rule.head
        older = ([one for one in self.by_head.get(literal, ()) if one < newest] for literal in rule.body)
        choices = [[newest] if literal == head else ones for literal, ones in zip(rule.body, older, strict=True)]
        for below in product(*choices):
            self.tried += len(below)
            if self.tried > MOST_TRIED:
                raise FormatError("the rules can be combined in too many ways to be read as a graph")
            if not any(self.found[one].concluded & self.literal(rule.head) for one in below):
                self.add(rule, below)

    def add(self, rule: Rule, below: tuple[int, ...]) -> None:
        number = len(self.found)
        if number == MOST_ARGUMENTS:
            raise FormatError(f"the rules lead to more than {MOST_ARGUMENTS:,} arguments")
        self.by_head.setdefault(rule.head, []).append(number)
        parts = [self.found[one] for one in below]
        last, premises = _union(part.last for part in parts), _union(part.premises for part in parts)
        if not rule.strict:
            last, premises = (1 << rule.number, premises) if rule.body else (last, 1 << rule.number)
        concluded = self.literal(rule.head) | _union(part.concluded for part in parts)
        self.found.append(_Argument(rule, below, concluded, last, premises))

    def literal(self, literal: str) -> Bits:
        return 1 << self.literals.setdefault(literal, len(self.literals))


def _union(several: Iterable[Bits]) -> Bits:
    return reduce(or_, several, 0)


def _defeats(arguments: list[_Argument], preferences: Preferences) -> tuple[list[tuple[int, int]], list[bool]]:
    """The attacks that succeed, each on all arguments that contain the attacked one, and which are undercuts."""
    above: list[list[int]] = [[] for _ in arguments]
    concluding: dict[str, list[int]] = {}
    for number, one in enumerate(arguments):
        concluding.setdefault(one.rule.head, []).append(number)
        for part in one.below:
            above[part].append(number)
    found: dict[tuple[int, int], bool] = {}
    compared = 0
    for target, attacked in enumerate(arguments):
        if attacked.rule.strict:
            continue
        undercutters = concluding.get(f"!{attacked.rule.name}", []) if attacked.rule.body else []
        rebutters = concluding.get(_negated(attacked.rule.head), [])
        compared += len(rebutters)
        if compared > MOST_TRIED:
            raise FormatError("the rules lead to too many attacks to be read as a graph")
        succeeding = [one for one in rebutters if not _is_weaker(arguments[one], attacked, preferences)]
        attackers = [*((one, False) for one in succeeding), *((one, True) for one in undercutters)]
        attacked_with_it = _reached(above, target) if attackers else []
        for source, undercut in attackers:
            for whole in attacked_with_it:
                found[source, whole] = undercut and found.get((source, whole), True)
            if len(found) > MOST_ATTACKS:
                raise FormatError(f"the rules lead to more than {MOST_ATTACKS:,} attacks")
    return list(found), list(found.values())


def _reached(above: list[list[int]], start: int) -> list[int]:
    """An argument and all that contain it."""
    seen, reached = {start}, [start]
    for one in reached:
        new = [other for other in dict.fromkeys(above[one]) if other not in seen]
        seen.update(new)
        reached += new
    return reached


def _is_weaker(one: _Argument, other: _Argument, preferences: Preferences) -> bool:
    """By the last link: the last defeasible rules decide or, if neither has any, the ordinary premises. A set is weaker
    if some member is weaker than all of the other, and any set is weaker than the empty one. Without preferences no
    argument is weaker."""
    if not preferences:
        return False
    first, second = (one.last, other.last) if one.last or other.last else (one.premises, other.premises)
    if not second:
        return bool(first)
    return any(not second & ~preferences.get(number, 0) for number in places(first))
