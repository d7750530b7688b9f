"""What vote, judges, stability, hollowness and quorum come to: every line of the table in docs/arena.md, and the cases
that led to it."""

from decimal import Decimal
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.errors import Rejected
from moot.protocols.arena.ballots import count
from moot.protocols.arena.candidates import grouped
from moot.protocols.arena.config import ArenaConfig
from moot.protocols.arena.decision import chosen, leading_in, settled, verdict_on
from moot.protocols.arena.judging import assess
from moot.protocols.arena.payloads import ArenaVote, JudgeReading, Tally
from moot.testing import Scripted
from moot.voting.rules import RULES, rule_of
from tests.kit.arenas import (
    CAST,
    LEVEL,
    OWN,
    TASK,
    WORDS,
    arena,
    comparison,
    each_for,
    letter_of,
    outcome,
    payloads,
    plain_reply,
    reading,
    revision,
)
from tests.kit.duels import assert_sound
from tests.kit.examples import examples

ADA, BO = {"Cache": 9, "Buy": 6, "Delete": 5}, {"Cache": 6, "Buy": 9, "Delete": 5}
DOWN = Rejected("down")
VOTES = {
    "carried": ("majority", ("Bo", "Ada", "Ada", "Ada", None)),
    "level": ("majority", ("Bo", "Ada", "Ada", "Bo", None)),
    "short": ("majority", ("Bo", "Ada", "Ada", None, None)),
    "strict": ("unanimous", ("Bo", "Ada", "Ada", "Ada", "Bo")),
    "few": ("majority", ("Bo", "Ada", None, None, None)),
}
JUDGES = ("Ada", "Bo", "nobody", "dead")
STABILITY = ("stable", "unstable", "untested")
SURE = (True, False)
HOLLOW = (False, True)
NAMES = ("Ada", "Bo")
PLANS = {"Ada": "First plan", "Bo": "Second plan", "Cy": "Third plan", "Di": "Fourth plan", "Ed": "Fifth plan"}


def config(**settings: Any) -> ArenaConfig:
    found = moot.configure("arena", topic=TASK, **{**CAST, **settings}).debate
    assert isinstance(found, ArenaConfig)
    return found


def tally(vote: str) -> tuple[ArenaConfig, Tally]:
    """A vote of five, by the rule and the ballots of its line in the table."""
    rule, ballots = VOTES[vote]
    five = config(agents=[{"name": name, "personality": "So."} for name in PLANS], vote=rule)
    cast = {
        name: ArenaVote(round=7, labels={}, ranking=[chosen] if chosen else [])
        for name, chosen in zip(PLANS, ballots, strict=True)
    }
    return five, count(five, 7, cast, [[name] for name in PLANS])


FIVE = tally("carried")[0]


def read(number: Any, first: str | None, sure: int = 90, scores: dict[str, int] | None = None) -> JudgeReading:
    """A judge's reading that puts this one first; without one, it could not be had."""
    order = sorted(NAMES, key=lambda name: name != first)
    given = scores or {name: 8 - place for place, name in enumerate(order)}
    return JudgeReading(
        round=8,
        reading=number,
        labels=dict(zip("AB", NAMES, strict=True)),
        scores={name: {"all": float(score)} for name, score in given.items()} if first else {},
        ranking=order if first else [],
        reasons={},
        confidence=sure / 100 if first else None,
        failure=None if first else "down",
    )


def both(first: str, sure: int = 90, scores: dict[str, int] | None = None) -> tuple[JudgeReading, JudgeReading]:
    return read(1, first, sure, scores), read(2, first, sure, scores)


def judged(first: str, stability: str, sure: bool) -> dict[str, tuple[JudgeReading, JudgeReading]]:
    """One judge who puts this one first."""
    other = "Bo" if first == "Ada" else "Ada"
    confidence = 90 if sure else 60
    if first == "dead":
        return {"Kim": (read(1, None), read(2, None))}
    if first == "nobody":
        level = {"Ada": 8, "Bo": 8}
        return {"Kim": (read(1, "Ada", confidence, level), read(2, "Bo", confidence, level))}
    second = {"stable": first, "unstable": other, "untested": None}[stability]
    # Unstable: by a higher score in the first order it is ahead all the same.
    ahead = {first: 10, other: 2} if stability == "unstable" else None
    return {"Kim": (read(1, first, confidence, ahead), read(2, second, confidence))}


def expected(vote: str, judge: str, stability: str, sure: bool, hollow: bool) -> tuple[str, str, str | None, bool]:
    """Verdict, by what, for whom, and whether it stops without an extra round, as the table in the docs has it."""
    stable = stability == "stable"
    if vote == "carried":
        if judge == "Ada":
            return ("needs_review" if hollow or not stable else "approved"), "vote and judge", "Ada", True
        return "needs_review", "vote", "Ada", judge == "dead"
    ahead = {"level": NAMES, "short": ("Ada",)}.get(vote, ())
    if judge in ahead and stable and sure:
        return ("needs_review" if hollow else "approved"), "judge", judge, True
    return "needs_review", "none", None, False


@pytest.mark.parametrize("vote", VOTES)
@pytest.mark.parametrize("judge", JUDGES)
def test_every_line_of_the_table(vote: str, judge: str) -> None:
    rules, votes = tally(vote)
    for stability, sure, hollow in product(STABILITY, SURE, HOLLOW):
        assessed = assess(8, judged(judge, stability, sure))
        found = chosen(rules, votes, assessed)
        verdict, doubts = verdict_on(rules, votes, assessed, conditions=[], hollow=hollow)
        stops = settled(rules, votes, assessed)
        assert (verdict, found.decided_by, found.winner, stops) == expected(vote, judge, stability, sure, hollow)
        assert ("hollow_consensus" in [doubt.code for doubt in doubts]) is hollow
        on_conditions, _ = verdict_on(rules, votes, assessed, conditions=["Test it first."], hollow=hollow)
        assert on_conditions == ("approved_with_conditions" if verdict == "approved" else verdict)
        high = rules.model_copy(update={"pass_mark": 9.9})
        low, _ = verdict_on(high, votes, assessed, conditions=[], hollow=hollow)
        against = vote == "carried" and judge == "Bo"
        assert low == ("needs_review" if judge == "dead" or against else "rejected")


@given(st.lists(st.sampled_from([*NAMES, None]), min_size=5, max_size=5), st.sampled_from(NAMES), st.booleans())
def test_a_stricter_vote_makes_approval_rarer_and_no_judge_stronger(
    ballots: list[str | None], judge: str, sure: bool
) -> None:
    cast = {
        name: ArenaVote(round=7, labels={}, ranking=[chosen] if chosen else [])
        for name, chosen in zip(PLANS, ballots, strict=True)
    }
    assessed = assess(8, judged(judge, "stable", sure))
    approved: list[set[str | None]] = []
    for share in ("0.3", "0.5", None, "0.6", "0.8", "1"):
        rules = FIVE.model_copy(update={"vote_threshold": share and Decimal(share)})
        votes = count(rules, 7, cast, [[name] for name in PLANS])
        verdict, _ = verdict_on(rules, votes, assessed, conditions=[], hollow=False)
        approved.append({chosen(rules, votes, assessed).winner} if verdict == "approved" else set())
    assert all(strict <= lax for lax, strict in pairwise(approved))


def test_who_is_ahead_in_a_vote_that_falls_short_leads_it_whatever_the_judge_is_sure_of() -> None:
    assert leading_in(tally("strict")[1], assess(8, {"Kim": both("Bo")})) == "Ada"
    assert leading_in(tally("level")[1], assess(8, {"Kim": both("Bo")})) == "Bo"
    assert leading_in(tally("level")[1], assess(8, {"Kim": (read(1, None), read(2, None))})) is None


@examples(100)
@given(
    rule=st.sampled_from(RULES.names()),
    ballots=st.tuples(*[st.lists(st.sampled_from([*PLANS]), unique=True, max_size=5) for _ in PLANS]),
    absent=st.sets(st.sampled_from([*PLANS]), max_size=3),
    voter=st.sampled_from([*PLANS]),
    share=st.sampled_from([None, "0.2", "0.5"]),
    self_votes=st.booleans(),
    groups=st.sampled_from([[["Ada"], ["Bo"], ["Cy"], ["Di"], ["Ed"]], [["Ada", "Bo"], ["Cy"], ["Di", "Ed"]]]),
)
def test_absence_and_abstention_never_help_the_absent(
    rule: str,
    ballots: tuple[list[str], ...],
    absent: set[str],
    voter: str,
    share: str | None,
    self_votes: bool,
    groups: list[list[str]],
) -> None:
    """Whatever the votes are: with a proposal that wins although its author is silent, no vote of the author's would
    have let another win."""
    threshold = {"vote_threshold": Decimal(share)} if share and rule_of(rule).of_all else {}
    rules = FIVE.model_copy(update={"vote": rule, "self_votes": self_votes, **threshold})
    own = next(group for group in groups if voter in group)
    cast = {
        name: [one for one in ranking if self_votes or one != name][: None if rule_of(rule).ranked else 1]
        for name, ranking in zip(PLANS, ballots, strict=True)
    }

    def counted(silent: set[str]) -> Tally:
        votes = {
            name: ArenaVote(round=7, labels={}, ranking=[] if name in silent else ranking)
            for name, ranking in cast.items()
        }
        return count(rules, 7, votes, groups)

    without, present = counted(absent | {voter}), counted(absent - {voter})
    assert not {*without.judges_may_choose} & {*own}
    if without.winner in own:
        assert present.winner in own


@pytest.mark.parametrize("rule", ["borda", "condorcet"])
def test_ones_own_is_left_out_of_ones_ballot_and_not_ranked_last(rule: str) -> None:
    """Ada is first for all others, and comes in second on no ballot."""
    rules = FIVE.model_copy(update={"vote": rule, "self_votes": False})
    others = {name: ["Ada", "Bo"] if name != "Bo" else ["Ada", "Cy"] for name in PLANS}
    votes = {name: ArenaVote(round=7, labels={}, ranking=ranking) for name, ranking in others.items() if name != "Ada"}
    silent, voting = (
        count(rules, 7, {"Ada": ArenaVote(round=7, labels={}, ranking=own), **votes}, [[name] for name in PLANS])
        for own in ([], ["Bo", "Cy", "Di", "Ed"])
    )
    assert (silent.winner, voting.winner) == ("Ada", "Ada")
    in_pairs = rule == "condorcet"
    assert voting.scores["Ada"] == ("4" if in_pairs else "20"), "as if its own ballot were like the others"


def test_what_decides_the_same_is_an_equivalence_or_is_not_used() -> None:
    plans = {"Ada": "Cache it.", "Bo": "Buy.", "Cy": "cache it", "Di": "Delete.", "Ed": "Drop."}
    chain = {("Ada", "Bo"), ("Bo", "Ada"), ("Bo", "Cy"), ("Cy", "Bo"), ("Bo", "Di"), ("Di", "Bo")}
    for order in (plans, dict(reversed(plans.items()))):
        found = {frozenset(group) for group in grouped(order, chain)}
        assert found == {frozenset(one) for one in (["Ada", "Cy"], ["Bo"], ["Di"], ["Ed"])}
        found = {frozenset(group) for group in grouped(order, chain - {("Bo", "Di")})}
        assert found == {frozenset(one) for one in (["Ada", "Bo", "Cy"], ["Di"], ["Ed"])}


def test_a_group_has_one_place_and_one_score_whoever_stands_for_it() -> None:
    pair = both("Ada", 90, {"Ada": 9, "Bo": 3})
    for head in NAMES:
        found = assess(8, {"Kim": pair}, dict.fromkeys(NAMES, head))
        assert (found.first, found.scores) == (head, {"Ada": 6.0, "Bo": 6.0})


@pytest.mark.parametrize("real", [0, 1, 2, 3])
def test_below_the_quorum_there_is_no_decision(tmp_path: Path, real: int) -> None:
    lost: dict[str, Any] = {f"{part}@7/vote": DOWN for part in list(OWN)[: 3 - real]}
    result, _ = arena(tmp_path, lost, max_extra_rounds=0)
    assert result.status == ("done" if real >= 2 else "failed")
    assert outcome(result).verdict == ("approved" if real >= 2 else None)
    if real == 2:
        assert outcome(result).reasons[0] == "Ada has 2 of 2 votes"
        assert "abstained" in [flag.code for flag in result.flags]


def test_three_votes_are_not_overruled_by_a_judge_who_says_it_is_sure(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=each_for(dict.fromkeys(OWN, "Buy"), ADA, 80))
    found = outcome(result)
    assert (found.winner, found.decided_by, found.verdict, found.extra_rounds) == ("Bo", "vote", "needs_review", 2)
    assert [doubt.code for doubt in found.doubts] == ["judges_against_vote"]
    assert "judges_against_vote" in [flag.code for flag in result.flags]


def test_one_judge_far_out_decides_nothing() -> None:
    assessed = assess(8, {"Kim": both("Ada"), "Lu": both("Ada"), "Mo": both("Bo", 100, {"Ada": 0, "Bo": 10})})
    assert (assessed.first, assessed.backed_by) == ("Ada", ["Kim", "Lu"])
    assert assessed.scores == {"Ada": 8.0, "Bo": 7.0}
    verdict, _ = verdict_on(*tally("carried"), assessed, conditions=[], hollow=False)
    assert verdict == "approved"


def test_an_unstable_judge_among_three_does_not_undo_two() -> None:
    assessed = assess(8, {"Kim": both("Ada"), "Lu": both("Ada"), "Mo": (read(1, "Ada"), read(2, "Bo"))})
    assert verdict_on(*tally("carried"), assessed, conditions=[], hollow=False)[0] == "approved"
    # To decide where the vote does not, all have to be stable.
    assert chosen(*tally("level"), assessed).decided_by == "none"


def test_a_judges_own_ranking_counts_and_is_flagged_where_its_scores_contradict_it() -> None:
    assessed = assess(8, {"Kim": both("Bo", 90, {"Ada": 9, "Bo": 3})})
    assert (assessed.first, assessed.judges[0].ranking, assessed.judges[0].contradicts) == ("Bo", ["Bo", "Ada"], True)
    # Whoever contradicts itself is sure of nothing.
    assessed = assess(8, {"Kim": both("Bo", 90, {"Ada": 9, "Bo": 5})})
    assert chosen(*tally("level"), assessed).decided_by == "none"
    assert verdict_on(*tally("level"), assessed, conditions=[], hollow=False)[0] == "needs_review"


def test_those_who_agree_do_not_lose_to_those_who_do_not(tmp_path: Path) -> None:
    """Three of five decide the same in the same words; all vote for those who do not decide as they do."""
    names = ("Ada", "Bo", "Cy", "Di", "Ed")
    texts = {"ada": "Cache it.", "bo": "cache it", "cy": "Cache  it.", "di": "Delete the slow tests at once.", "ed": ""}
    texts["ed"] = texts["di"]

    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        plan = PLANS.get(part.capitalize(), "")
        said = {"proposal": f"{plan}.", "decision": texts.get(part, "")}
        match request.key.split("/")[1:]:
            case ["propose", *_]:
                return said
            case ["revise", *_]:
                return {**said, "changed_mind": False, "because_of": "nobody", "new_evidence": []}
            case ["vote"]:
                other = PLANS["Di" if part in ("ada", "bo", "cy") else "Ada"]
                return {"reason": "Theirs.", "choice": letter_of(request, other), "confidence": 80}
            case ["judging"]:
                return reading(request, {"Second plan": 9, "First plan": 8, "Third plan": 7}, 90)
        return plain_reply(request)

    agents = [{"name": name, "personality": "So."} for name in names]
    result, _ = arena(tmp_path, agents=agents, plain=reply)
    found = outcome(result)
    assert (found.winner, found.decided_by, found.verdict) == ("Ada", "judge", "approved")
    assert found.tally and found.tally.groups == [["Ada", "Bo", "Cy"], ["Di", "Ed"]]
    assert found.tally.reason.startswith("Ada and Di are tied; Ada, Bo and Cy decide the same and count as one")
    assert found.dissent == [], "nobody could vote otherwise"
    assert_sound(moot.find_run(result.run))


def test_the_authors_own_word_makes_proposals_one_and_both_have_to_give_it(tmp_path: Path) -> None:
    """Ada and Bo are near enough to be asked."""

    def comparing(ada: str, bo: str) -> moot.Result:
        said: dict[str, Any] = {
            "ada/compare/7": {"agent 2": {"differs_in": "", "same": ada}},
            "bo/compare/7": {"agent 1": {"differs_in": "", "same": bo}},
        }
        return arena(tmp_path / f"{ada}-{bo}", said, plain=each_for(LEVEL, ADA, 90))[0]

    agreed, one_sided = comparing("yes", "yes"), comparing("yes", "no")
    assert [one.groups for one in payloads(agreed, Tally)] == [[["Ada", "Bo"]]]
    assert outcome(agreed).reasons[1].startswith("the vote: Ada and Cy are tied")
    assert (outcome(agreed).winner, outcome(agreed).decided_by) == ("Ada", "judge")
    assert not any(one.groups for one in payloads(one_sided, Tally))


def test_shares_of_an_early_consensus_are_of_all_agents(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        if part in ("di", "ed"):
            return DOWN
        match request.key.split("/")[1:]:
            case ["revise", *_]:
                return revision(WORDS["ada"])
            case ["agree", *_]:
                return comparison(request, "yes")
        return plain_reply(request)

    agents = [{"name": name, "personality": "So."} for name in ("Ada", "Bo", "Cy", "Di", "Ed")]
    result, _ = arena(tmp_path / "all", agents=agents, plain=reply, max_extra_rounds=0)
    assert outcome(result).decided_by != "early consensus"
    most, _ = arena(tmp_path / "most", agents=agents, plain=reply, convergence_agreement=0.6)
    assert (outcome(most).decided_by, outcome(most).agreed) == ("early consensus", 0.6)
    assert outcome(most).reasons == ["3 of 5 agents say that they decide the same"]


def test_of_two_agents_each_may_vote_for_its_own(tmp_path: Path) -> None:
    """Otherwise no vote could carry."""
    result, _ = arena(tmp_path, agents=CAST["agents"][:2])
    assert (outcome(result).reasons, outcome(result).votes[0].own) == (["Ada has 2 of 2 votes"], True)


def test_a_threshold_of_ones_own(tmp_path: Path) -> None:
    plain = each_for({"ada": "Cache", "bo": "Cache", "cy": "Buy"})
    result, _ = arena(tmp_path, plain=plain, self_votes=True, vote_threshold="0.7", max_extra_rounds=0)
    assert outcome(result).tally is not None
    assert outcome(result).reasons[0] == "Ada has 2 of 3 votes; 70 % is needed"
    with pytest.raises(moot.ConfigError, match="counts no shares"):
        config(vote="borda", vote_threshold="0.7")


@pytest.mark.parametrize(("require", "met"), [("approved", True), (["rejected", "needs_review"], False), (None, None)])
def test_a_verdict_can_be_required(tmp_path: Path, require: Any, met: bool | None) -> None:
    result, _ = arena(tmp_path, **({"require": require} if require else {}))
    assert result.gate is not None and result.gate.passed is met
