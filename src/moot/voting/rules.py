"""Voting rules: how ballots become a decision, or fail to. Pure functions, exact arithmetic, no tie-breaking.

A ballot ranks proposals, the choice first; unranked ones share the last place. An empty ballot is an abstention or a
missing answer: shares are of all ballots, empty ones included. The quorum is up to the caller.

A rule is a function with an entry in the table. Further rules come from installed packages, under the entry points
`moot.voting_rules`, from plug-in files, or are registered in code.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from moot.errors import ConfigError, RuleFailed
from moot.plugins.guard import Broken, guarded
from moot.plugins.table import Table
from moot.text import clip, valid_text
from moot.text.figures import bound_percent, reached_percent

LONGEST_TOLD = 100


@dataclass(frozen=True, slots=True)
class Ballot:
    """One voter's ballot. `weight` is used only by the rule `weighted`. `barred` are options that the voter may not
    rank: its ballot says nothing about them, for or against."""

    voter: str
    ranking: tuple[str, ...]
    weight: Fraction = Fraction(1)
    barred: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Election:
    """The result of a count. `winner` is None if nobody reaches what the rule needs, and on every tie.

    `scores` are votes, weights, Borda points or pairwise wins, depending on the rule. `cycle` are the proposals of a
    Condorcet cycle, if that is why there is no winner. `leaders` are ahead, if they are not those with the highest
    score.
    """

    winner: str | None
    scores: Mapping[str, Fraction]
    reason: str
    cycle: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()

    @property
    def ahead(self) -> list[str]:
        """The options that are ahead; none if nobody voted."""
        return [*self.leaders] or (_leaders(self.scores) if any(self.scores.values()) else [])


Count = Callable[[list[str], list[Ballot]], Election]


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to count ballots. A `ranked` rule needs a ranking of all options, any other only the choice. `count`
    gets empty ballots only if it counts shares `of_all`; `strict` is one that asks for more than a majority of them."""

    name: str
    count: Count
    ranked: bool = False
    of_all: bool = False
    strict: bool = False

    def is_strict(self, at_least: Fraction | None) -> bool:
        """Whether a vote by this rule, perhaps with a share of its own, asks for more than a majority."""
        return self.strict if at_least is None else at_least > Fraction(1, 2)


def elect(rule: str, options: Sequence[str], ballots: Sequence[Ballot], at_least: Fraction | None = None) -> Election:
    """Count the ballots by this rule. ValueError for a ballot that ranks an unknown or barred option, or one twice;
    RuleFailed if the rule returns no valid election. `at_least` is the share that a rule with shares `of_all` needs."""
    for ballot in ballots:
        if not set(ballot.ranking) <= set(options) - ballot.barred or len(set(ballot.ranking)) < len(ballot.ranking):
            raise ValueError(f"the ballot of {ballot.voter} does not rank the options: {ballot.ranking}")
    found = rule_of(rule)
    given = [ballot for ballot in ballots if ballot.ranking or found.of_all]
    count = found.count
    if at_least is not None and found.of_all:
        needed = f"{bound_percent(float(at_least))} %"
        count = _by_share(lambda share: share >= at_least, needed, weighted=rule == "weighted")
    election = guarded(lambda: count(list(options), given))
    if isinstance(election, Broken):
        raise RuleFailed(rule, valid_text(election.why)) from election.error
    if (fault := _fault(election, options)) is not None:
        raise RuleFailed(rule, fault)
    return election


def pooled(ballots: Sequence[Ballot], stands_for: Mapping[str, str]) -> list[Ballot]:
    """The ballots with equal options merged, at the best place that any of them has; barred with any is barred."""
    merged = []
    for ballot in ballots:
        barred = frozenset(stands_for[option] for option in ballot.barred)
        ranking = dict.fromkeys(stands_for[option] for option in ballot.ranking)
        merged.append(replace(ballot, ranking=tuple(one for one in ranking if one not in barred), barred=barred))
    return merged


def _fault(election: object, options: Sequence[str]) -> str | None:
    """The fault in the result of a rule, which may come from a plug-in."""
    if not isinstance(election, Election):
        return f"it should come to an Election, not to {type(election).__name__}"
    scores, reason = election.scores, election.reason
    if election.winner is not None and election.winner not in options:
        return f"its winner is no option: {clip(repr(election.winner), LONGEST_TOLD)}"
    if not isinstance(scores, Mapping) or not all(one in options and _is_number(scores[one]) for one in scores):
        return "its scores should be numbers, by option"
    if not isinstance(reason, str) or valid_text(reason) != reason:
        return f"its reason is no text: {clip(ascii(reason), LONGEST_TOLD)}"
    if not isinstance(election.cycle, tuple) or not all(one in options for one in election.cycle):
        return "its cycle should be options"
    return None


def _is_number(score: object) -> bool:
    return isinstance(score, int | float | Fraction) and not isinstance(score, bool) and math.isfinite(score)


def rule_of(name: str) -> Rule:
    """The rule with this name; ConfigError if there is none."""
    found = RULES.get(name)
    if found is None:
        raise ConfigError(f"there is no voting rule {name!r}; there are {', '.join(RULES.names())}")
    return found


def _by_share(enough: Callable[[Fraction], bool], needed: str, *, weighted: bool = False) -> Count:
    """Ahead is who has most of the votes of all but one author, and most of those who may vote for it, of whom enough
    have to: so many authors are neither an advantage nor a drawback."""

    def count(options: list[str], ballots: list[Ballot]) -> Election:
        weights = {ballot.voter: ballot.weight if weighted else Fraction(1) for ballot in ballots}
        votes, shares, of_others = (dict.fromkeys(options, Fraction(0)) for _ in range(3))
        for option in options:
            votes[option] = sum((weights[one.voter] for one in ballots if one.ranking[:1] == (option,)), Fraction(0))
            authors = [weights[ballot.voter] for ballot in ballots if option in ballot.barred]
            shares[option] = votes[option] / ((sum(weights.values()) - sum(authors)) or 1)
            of_others[option] = votes[option] / ((sum(weights.values()) - min(authors, default=0)) or 1)
        if not any(votes.values()):
            return Election(None, votes, "nobody voted")
        leaders = tuple(option for option in options if option in {*_leaders(of_others), *_leaders(shares)})
        if len(leaders) > 1:
            return Election(None, votes, f"{_listed(leaders)} are tied", leaders=leaders)
        (leader,) = leaders
        others = sum(leader not in ballot.barred for ballot in ballots)
        what = f"{leader} has {votes[leader]} of {others} votes"
        if weighted:
            percent = reached_percent(shares[leader], 1).removesuffix(".0")
            what = f"{leader} has {percent} % of the weight of all {others}"
        if not enough(shares[leader]):
            return Election(None, votes, f"{what}; {needed} is needed", leaders=leaders)
        return Election(leader, votes, what, leaders=leaders)

    return count


def _borda(options: list[str], ballots: list[Ballot]) -> Election:
    """First place among n is worth n - 1 points, the next one less; unranked options share the remaining points. What
    a ballot may not rank has on it the mean of its points on the others."""
    points = dict.fromkeys(options, Fraction(0))
    for option in options:
        shares = [_share_below(ballot, option, options) for ballot in ballots if option not in ballot.barred]
        if shares:
            points[option] = sum(shares) * (len(options) - 1) * Fraction(len(ballots), len(shares))
    leaders = _leaders(points)
    if not ballots:
        return Election(None, points, "nobody voted")
    if len(leaders) > 1:
        return Election(None, points, f"{_listed(leaders)} are tied")
    return Election(leaders[0], points, f"{leaders[0]} has the most points, {_figure(points[leaders[0]])}")


def _share_below(ballot: Ballot, option: str, options: Sequence[str]) -> Fraction:
    """How many of the other options on this ballot are below this one, as a share; level ones count half."""
    others = [other for other in options if other != option and other not in ballot.barred]
    place = _place(ballot, option)
    below = sum((_place(ballot, other) > place) + Fraction(_place(ballot, other) == place, 2) for other in others)
    return Fraction(below) / len(others) if others else Fraction(1, 2)


def _condorcet(options: list[str], ballots: list[Ballot]) -> Election:
    """The winner beats every other proposal one against one."""
    beats = {one: {other for other in options if _prefer(ballots, one, other) > 0} for one in options}
    wins = {option: Fraction(len(beats[option])) for option in options}
    if not ballots:
        return Election(None, wins, "nobody voted")
    for option in options:
        if len(beats[option]) == len(options) - 1:
            return Election(option, wins, f"{option} beats every other, one against one")
    cycle = _cycle(options, beats)
    if cycle:
        round_trip = " beats ".join((*cycle, cycle[0]))
        return Election(None, wins, f"there is a cycle: {round_trip}", cycle)
    tied = [(a, b) for a, b in combinations(options, 2) if b not in beats[a] and a not in beats[b]]
    pairs = "; ".join(f"{a} and {b}" for a, b in tied)
    return Election(None, wins, f"nobody beats every other; tied, one against one: {pairs}")


def _prefer(ballots: Sequence[Ballot], one: str, other: str) -> int:
    """How many more voters, of those who may rank both, put `one` before `other` than the other way round."""
    places = [(_place(each, one), _place(each, other)) for each in ballots if not {one, other} & each.barred]
    return sum((a < b) - (a > b) for a, b in places)


def _place(ballot: Ballot, option: str) -> int:
    return ballot.ranking.index(option) if option in ballot.ranking else len(ballot.ranking)


def _cycle(options: Sequence[str], beats: Mapping[str, set[str]]) -> tuple[str, ...]:
    """A shortest cycle in the Smith set; empty if there is none."""
    unbeaten = _smith_set(options, beats)
    paths: list[tuple[str, ...]] = [(option,) for option in unbeaten]
    for _ in unbeaten:
        closed = [path for path in paths if len(path) > 2 and path[0] in beats[path[-1]]]
        if closed:
            return closed[0]
        paths = [
            (*path, option)
            for path in paths
            for option in unbeaten
            if option in beats[path[-1]] and option not in path and options.index(option) > options.index(path[0])
        ]
    return ()


def _smith_set(options: Sequence[str], beats: Mapping[str, set[str]]) -> list[str]:
    """The smallest set whose members beat everybody outside it."""
    chosen = {max(options, key=lambda option: len(beats[option]))}
    while True:
        further = {
            option for option in options if option not in chosen and any(option not in beats[one] for one in chosen)
        }
        if not further:
            return [option for option in options if option in chosen]
        chosen |= further


RULES: Table[Rule] = Table(Rule, "voting rule", "moot.voting_rules")
_more_than_half = Fraction(1, 2).__lt__
RULES.own(Rule("majority", _by_share(_more_than_half, "more than half"), of_all=True))
RULES.own(
    Rule("supermajority", _by_share(lambda share: share >= Fraction(2, 3), "two thirds"), of_all=True, strict=True)
)
RULES.own(Rule("unanimous", _by_share(lambda share: share == 1, "every vote"), of_all=True, strict=True))
RULES.own(Rule("weighted", _by_share(_more_than_half, "more than half", weighted=True), of_all=True))
RULES.own(Rule("borda", _borda, ranked=True))
RULES.own(Rule("condorcet", _condorcet, ranked=True))
register_rule = RULES.register


def _leaders(scores: Mapping[str, Fraction]) -> list[str]:
    most = max(scores.values(), default=Fraction(0))
    return [option for option, score in scores.items() if score == most]


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _figure(number: Fraction) -> str:
    return f"{float(number):g}"
