"""How ballots are counted: what every rule must keep, and where each draws its line."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.errors import RuleFailed
from moot.voting.rules import RULES, Ballot, Election, Rule, elect, pooled, register_rule, rule_of

OWN = RULES.names()
OPTIONS = ("a", "b", "c", "d")
RANKINGS = st.lists(st.sampled_from(OPTIONS), unique=True, max_size=4).map(tuple)
WEIGHTS = st.integers(0, 20).map(lambda weight: Fraction(weight, 4))
BALLOTS = st.lists(st.tuples(RANKINGS, WEIGHTS), max_size=9).map(
    lambda cast: [Ballot(f"v{i}", ranking, weight) for i, (ranking, weight) in enumerate(cast)]
)


def votes(text: str) -> list[Ballot]:
    """`a:3 ba:2` is three ballots for a alone and two that rank b before a."""
    cast = [(ranking, int(count)) for ranking, count in (part.split(":") for part in text.split())]
    return [Ballot(f"{ranking}{i}", tuple(ranking)) for ranking, count in cast for i in range(count)]


@pytest.mark.parametrize(
    ("rule", "cast", "winner"),
    [
        ("majority", "a:2 b:1", "a"),
        ("majority", "a:2 b:2", None),
        ("majority", "a:2 b:1 c:1", None),
        ("majority", "a:3 b:2", "a"),
        ("supermajority", "a:2 b:1", "a"),
        ("supermajority", "a:13 b:7", None),
        ("supermajority", "a:4 b:2", "a"),
        ("unanimous", "a:5", "a"),
        ("unanimous", "a:5 b:1", None),
        ("borda", "abc:2 bca:2 bac:1", "b"),
        ("borda", "ab:1 ba:1", None),
        ("condorcet", "abc:1 bca:1 cab:1", None),
        ("condorcet", "abc:3 bca:2", "a"),
        # The Condorcet winner need not have the most first places.
        ("condorcet", "abc:4 cba:3 bca:2", "b"),
        ("borda", "abc:4 cba:3 bca:2", "b"),
    ],
)
def test_where_each_rule_draws_its_line(rule: str, cast: str, winner: str | None) -> None:
    assert elect(rule, "abc", votes(cast)).winner == winner


@pytest.mark.parametrize(
    ("cast", "reason"),
    [
        ("a:5", "a has 5 of 5 votes"),
        ("a:3 b:2", "a has 3 of 5 votes"),
        ("a:5 b:3", "a has 5 of 8 votes"),
        ("a:2 b:1", "a has 2 of 3 votes"),
        ("a:1201 b:800", "a has 1201 of 2001 votes"),
    ],
)
def test_a_share_is_told_without_being_rounded_up(cast: str, reason: str) -> None:
    assert elect("majority", "ab", votes(cast)).reason == reason


def test_a_share_just_below_what_is_needed_is_told_as_below_it() -> None:
    much = Fraction(10**40)
    cast = [Ballot("x", ("a",), much), Ballot("y", ("b",), much - 1), Ballot("z", ("c",), Fraction(2))]
    assert elect("weighted", "abc", cast).reason == "a has 49.9 % of the weight of all 3; more than half is needed"


def test_who_abstains_or_is_absent_counts_in_every_share() -> None:
    absent = [Ballot("y", ()), Ballot("z", ())]
    for rule in ("majority", "supermajority", "unanimous", "weighted"):
        assert elect(rule, "ab", [*votes("a:2"), *absent]).winner is None
    assert elect("majority", "ab", [*votes("a:3"), *absent]).reason == "a has 3 of 5 votes"
    assert elect("borda", "ab", [*votes("ab:2"), *absent]).winner == "a"


def test_a_share_of_ones_own_can_be_needed() -> None:
    cast = votes("a:3 b:1")
    assert elect("majority", "ab", cast, Fraction(3, 4)).winner == "a"
    found = elect("majority", "ab", cast, Fraction(4, 5))
    assert (found.winner, found.reason) == (None, "a has 3 of 4 votes; 80 % is needed")


def test_options_that_stand_for_the_same_are_one_in_their_best_place() -> None:
    ballots = pooled(
        [Ballot("x", ("a", "c", "b")), Ballot("y", ("b", "c", "a")), Ballot("z", ())], {"a": "a", "b": "a", "c": "c"}
    )
    assert [one.ranking for one in ballots] == [("a", "c"), ("a", "c"), ()]


@pytest.mark.parametrize("rule", ["majority", "supermajority", "unanimous", "weighted"])
def test_what_all_who_may_vote_for_it_choose_carries_however_many_propose_it(rule: str) -> None:
    authors = [Ballot(one, (), barred=frozenset("A")) for one in "abc"]
    assert elect(rule, ["A", "D", "E"], [*authors, Ballot("d", ("A",)), Ballot("e", ("A",))]).winner == "A"
    assert elect(rule, ["A", "D", "E"], [*authors, Ballot("d", ("A",)), Ballot("e", ())]).winner is None


def test_a_cycle_is_named() -> None:
    found = elect("condorcet", "abcd", votes("abcd:1 bcad:1 cabd:1"))
    assert found.winner is None
    assert found.cycle == ("a", "b", "c")
    assert found.reason == "there is a cycle: a beats b beats c beats a"


def test_a_pair_that_is_tied_is_no_cycle() -> None:
    found = elect("condorcet", "ab", votes("ab:1 ba:1"))
    assert (found.winner, found.cycle) == (None, ())
    assert "a and b" in found.reason


def test_weights_decide_only_where_they_are_asked_for() -> None:
    cast = [Ballot("x", ("a",), Fraction(3)), Ballot("y", ("b",)), Ballot("z", ("b",))]
    assert elect("weighted", "ab", cast).winner == "a"
    assert elect("majority", "ab", cast).winner == "b"


@pytest.mark.parametrize("rule", OWN)
def test_nobody_votes(rule: str) -> None:
    for cast in ([], [Ballot("x", ())]):
        found = elect(rule, "ab", cast)
        assert (found.winner, found.reason) == (None, "nobody voted")


@pytest.mark.parametrize("ranking", [("e",), ("a", "a"), ("a", "b", "e")])
def test_a_ballot_that_ranks_something_else_is_refused(ranking: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="the ballot of x"):
        elect("borda", OPTIONS, [Ballot("x", ranking)])


@pytest.mark.parametrize("rule", OWN)
@given(ballots=BALLOTS, data=st.data())
def test_neither_the_order_of_ballots_nor_who_cast_them_matters(
    rule: str, ballots: list[Ballot], data: st.DataObject
) -> None:
    shuffled = [Ballot(f"w{i}", one.ranking, one.weight) for i, one in enumerate(data.draw(st.permutations(ballots)))]
    one, other = elect(rule, OPTIONS, ballots), elect(rule, OPTIONS, shuffled)
    assert (one.winner, one.scores) == (other.winner, other.scores)


@pytest.mark.parametrize("rule", OWN)
@given(ballots=BALLOTS, order=st.permutations(OPTIONS))
def test_no_proposal_is_favoured_by_its_name_or_its_place(rule: str, ballots: list[Ballot], order: list[str]) -> None:
    renamed = dict(zip(OPTIONS, order, strict=True))
    other = [Ballot(one.voter, tuple(renamed[option] for option in one.ranking), one.weight) for one in ballots]
    winner = elect(rule, OPTIONS, ballots).winner
    for options in (OPTIONS, tuple(order)):
        assert elect(rule, options, other).winner == (None if winner is None else renamed[winner])


@pytest.mark.parametrize("rule", OWN)
@given(ballots=BALLOTS.filter(bool), data=st.data())
def test_moving_the_winner_up_never_makes_it_lose(rule: str, ballots: list[Ballot], data: st.DataObject) -> None:
    winner = elect(rule, OPTIONS, ballots).winner
    if winner is None:
        return
    index = data.draw(st.integers(0, len(ballots) - 1))
    chosen = ballots[index]
    raised = (winner, *(option for option in chosen.ranking if option != winner))
    after = [*ballots[:index], Ballot(chosen.voter, raised, chosen.weight), *ballots[index + 1 :]]
    assert elect(rule, OPTIONS, after).winner == winner


@given(BALLOTS)
def test_a_condorcet_winner_beats_everyone_and_a_cycle_is_one(ballots: list[Ballot]) -> None:
    def prefer(one: str, other: str) -> int:
        places = [
            {option: place for place, option in enumerate(ballot.ranking)} for ballot in ballots if ballot.ranking
        ]
        return sum((of.get(one, 9) < of.get(other, 9)) - (of.get(one, 9) > of.get(other, 9)) for of in places)

    found = elect("condorcet", OPTIONS, ballots)
    if found.winner is not None:
        assert all(prefer(found.winner, other) > 0 for other in OPTIONS if other != found.winner)
    if found.cycle:
        following = (*found.cycle[1:], found.cycle[0])
        assert all(prefer(one, other) > 0 for one, other in zip(found.cycle, following, strict=True))


def first_ballot(options: list[str], ballots: list[Ballot]) -> Election:
    """Whoever votes first decides."""
    scores = dict.fromkeys(options, Fraction(0))
    winner = ballots[0].ranking[0] if ballots else None
    return Election(winner, scores, f"{winner} was chosen first")


PLUGIN = """
from fractions import Fraction
from moot.voting.rules import RULES, Election, Rule

def last(options, ballots):
    return Election(ballots[-1].ranking[0], dict.fromkeys(options, Fraction(0)), "the last word")

LAST = Rule("last_word", last, ranked=True)
"""


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(RULES, "_added", {})


@pytest.mark.usefixtures("registered")
def test_a_rule_of_ones_own_is_one_function_and_one_registration(tmp_path: Path) -> None:
    from tests.kit.arenas import arena, outcome

    register_rule(Rule("first_ballot", first_ballot))
    assert RULES.names() == [*OWN, "first_ballot"]
    assert elect("first_ballot", "ab", votes("b:1 a:2")).winner == "b"
    result, _ = arena(tmp_path, vote="first_ballot")
    assert outcome(result).tally is not None
    assert (outcome(result).tally.rule, outcome(result).tally.winner) == ("first_ballot", "Bo")  # type: ignore[union-attr]


@pytest.mark.usefixtures("registered")
def test_a_name_is_given_to_one_rule() -> None:
    register_rule(Rule("first_ballot", first_ballot))
    register_rule(Rule("first_ballot", first_ballot))
    for taken in (Rule("first_ballot", first_ballot, ranked=True), Rule("majority", first_ballot)):
        with pytest.raises(moot.ConfigError, match="already"):
            register_rule(taken)
    with pytest.raises(moot.ConfigError, match="no voting rule 'coin'; there are majority, "):
        rule_of("coin")


def _raising(options: list[str], ballots: list[Ballot]) -> Election:
    raise KeyError("half a \ud83d")


def _coming_to(**parts: Any) -> Callable[..., Election]:
    return lambda options, ballots: replace(first_ballot(options, ballots), **parts)


FAULTS: dict[str, Callable[..., Any]] = {
    "KeyError: 'half a": _raising,
    "it should come to an Election, not to NoneType": lambda options, ballots: None,
    "its winner is no option: 'Nobody'": _coming_to(winner="Nobody"),
    "its scores should be numbers, by option": _coming_to(scores={"Ada": "many"}),
    "its reason is no text: 'half a \\ud83d'": _coming_to(reason="half a \ud83d"),
    "its cycle should be options": _coming_to(cycle=("Nobody",)),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.usefixtures("registered")
def test_what_a_rule_comes_to_is_checked(fault: str) -> None:
    register_rule(Rule("odd", FAULTS[fault]))
    with pytest.raises(RuleFailed) as failed:
        elect("odd", ["Ada"], [Ballot("x", ("Ada",))])
    assert fault.partition("\\")[0] in str(failed.value)


@pytest.mark.parametrize("scores", [None, {"Nobody": 1}, {"Ada": True}, {"Ada": math.nan}, {"Ada": None}])
@pytest.mark.usefixtures("registered")
def test_scores_are_numbers_by_option(scores: Any) -> None:
    register_rule(Rule("odd", _coming_to(scores=scores)))
    with pytest.raises(RuleFailed, match="its scores should be numbers, by option"):
        elect("odd", ["Ada"], [])


def test_a_rule_that_fails_costs_no_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.kit.arenas import arena, outcome

    monkeypatch.setattr(RULES, "_added", {"own": Rule("own", _raising)})
    result, model = arena(tmp_path, vote="own", revision_rounds=1, max_extra_rounds=0)
    assert result.status == "failed"
    assert (result.reason or "").startswith("the voting rule 'own' failed: ")
    assert result.stored.result() == result.document()
    assert moot.verify(result.stored).faults == []
    again = asyncio.run(moot.replay(result.stored))
    assert (again.differences, again.waiting_for) == ([], "the count by own")
    assert asyncio.run(moot.resume(result.stored, models={model.name: model})).status == "failed"
    monkeypatch.setattr(RULES, "_added", {"own": Rule("own", first_ballot)})
    resumed = asyncio.run(moot.resume(result.stored, models={model.name: model}))
    assert resumed.status == "done"
    assert outcome(resumed).tally is not None


@pytest.mark.usefixtures("registered")
def test_a_rule_of_a_plug_in_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.py").write_text(PLUGIN, "utf-8")
    monkeypatch.setenv("MOOT_PLUGINS", str(tmp_path / "rules.py"))
    assert moot.configure("arena", topic="What now?", vote="last_word").debate.model_dump()["vote"] == "last_word"
    assert rule_of("last_word").ranked
    with pytest.raises(moot.ConfigError, match=r"no rule 'coin' for the vote; there are .*, last_word"):
        moot.configure("arena", topic="What now?", vote="coin")


@pytest.mark.usefixtures("registered")
def test_a_rule_of_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "ballots_here-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ballots-here\nVersion: 1.0\n", "utf-8")
    points = "[moot.voting_rules]\nlast_word = ballots_here:LAST\nodd = ballots_here:last\nlost = nowhere:LAST\n"
    (about / "entry_points.txt").write_text(points, "utf-8")
    (tmp_path / "ballots_here.py").write_text(PLUGIN, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(RULES, "_points", tuple(entry_points(group=RULES.group)))
    assert RULES.names() == [*OWN, "last_word", "lost", "odd"]
    assert elect("last_word", "ab", votes("b:1 a:2")).winner == "a"
    with pytest.raises(moot.ConfigError, match="is no voting rule of that name"):
        rule_of("odd")
    with pytest.raises(moot.ConfigError, match="cannot be loaded: ModuleNotFoundError"):
        rule_of("lost")
