"""What rows come to together, on tables small enough to be counted by hand or taken from a book."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from moot.studies.batch import BatchStatistics, Row, analyse
from moot.studies.batch.rows import Contestant, Flip


def row(number: int, winner: str | None = "Ada", first: str = "Ada", **more: Any) -> Row:
    """A duel of Ada, for the claim, and Bo. `first` opens."""
    order = ["Ada", "Bo"] if first == "Ada" else ["Bo", "Ada"]
    sides = more.pop("sides", {"Ada": "for", "Bo": "against"})
    models = more.pop("models", {"Ada": "x/a", "Bo": "x/b"})
    contestants = [
        Contestant(
            name=name, model=models[name], side=sides[name], place=place, won=None if winner is None else name == winner
        )
        for place, name in enumerate(order, 1)
    ]
    given: dict[str, Any] = {
        "id": str(number),
        "group": str(number),
        "design": {},
        "factors": {},
        "protocol": "duel",
        "topic": f"Topic {number}",
        "seed": 0,
        "status": "done",
        "winner": winner,
        "winner_side": None if winner is None else sides[winner],
        "contestants": contestants,
        "judge": "Kim",
        "judge_model": "x/j",
        "upheld": None if winner is None else sides[winner] == "for",
        "decision": winner,
        "decided": winner is not None,
        "calls": 14,
        "run": f"runs/{number}",
    }
    return Row.model_validate(given | more)


def told(found: BatchStatistics) -> dict[str, str]:
    return {note.code: note.text for note in found.notes}


def test_win_rates_are_counted_and_what_is_undecided_is_missing() -> None:
    rows = [row(1), row(2), row(3, "Bo"), row(4, None), row(5, "Bo", first="Bo"), row(6, status="failed", winner=None)]
    found = analyse(rows)
    ada = found.win_rates["persona"]["Ada"]
    assert (ada.count, ada.n, ada.missing) == (2, 4, 1)
    assert found.win_rates["model"]["x/b"].count == 2
    assert found.win_rates["side"]["for"] == ada
    first = found.win_rates["speaking order"]["first speaker"]
    assert (first.count, first.n) == (3, 4)
    assert found.win_rates["judge"] == {"Kim (x/j)": found.upheld}
    assert found.by_status == {"done": 5, "failed": 1}
    assert told(found)["unfinished"] == "Not at their end, and not counted: 1 of 6 debates."
    assert {"undecided", "few_decided"} <= set(told(found))


def test_the_first_speakers_advantage_is_tested() -> None:
    """9 of 11 first speakers win: 2 · (1 + 11 + 55) / 2048."""
    rows = [row(n, "Bo" if n < 2 else "Ada") for n in range(11)]
    order, side = analyse(rows).effects
    assert (order.first, order.rate.count, order.rate.n) == ("first speaker", 9, 11)
    assert order.p == side.p == pytest.approx(0.06543, abs=5e-6)
    assert order.adjusted == pytest.approx(2 * 0.06543, abs=1e-5), "two tests are made"
    assert "side_is_order" in told(analyse(rows))


@pytest.mark.parametrize(("failed", "shown"), [(0, True), (2, True), (4, False), (12, False), (40, False)])
@pytest.mark.parametrize("status", ["failed", "limit", "interrupted"])
def test_no_effect_is_shown_by_what_failed(failed: int, shown: bool, status: str) -> None:
    """The first speaker wins twelve of twelve; each debate that failed may have been won by the second."""
    rows = [row(number) for number in range(12)]
    rows += [row(100 + number, None, status=status, contestants=[], upheld=None) for number in range(failed)]
    found = analyse(rows)
    order = next(one for one in found.effects if one.name == "speaking order")
    assert (order.rate.count, order.rate.n, order.failed, order.p) == (12, 12, failed, 2 / 2**12)
    assert (order.adjusted is not None and order.adjusted < 0.05) is shown
    assert order.p_at_worst == pytest.approx(1.0 if failed >= 12 else binomtest(12, 12 + failed).pvalue)
    assert ("failed" in told(found)) is bool(failed)


def test_pairs_and_flips_count_what_failed_against_what_they_find() -> None:
    pairs = [one for number in range(9) for one in pair(number, ("Ada", "Bo"))]
    lost = [one for number in range(9, 13) for one in pair(number, ("Ada", "Bo"))]
    lost = [one.model_copy(update={"status": "failed"}) if place % 2 else one for place, one in enumerate(lost)]
    whole, partly = analyse(pairs).paired[0], analyse([*pairs, *lost]).paired[0]
    assert (whole.p, whole.p_at_worst, whole.failed) == (2 / 2**9, 2 / 2**9, 0)
    assert (partly.p, partly.failed) == (2 / 2**9, 4)
    assert partly.p_at_worst == pytest.approx(binomtest(9, 13).pvalue)
    turned = [row(number, answer=True, correct=True, first_correct=False) for number in range(8)]
    gone = [row(20 + number, None, status="failed", answer=True, contestants=[]) for number in range(4)]
    flips = analyse([*turned, *gone]).flips
    assert flips is not None
    assert (flips.p, flips.failed) == (2 / 2**8, 4)
    assert flips.p_at_worst == pytest.approx(binomtest(8, 12).pvalue)


def pair(number: int, winners: tuple[str | None, str | None], design: str = "order") -> list[Row]:
    swapped: dict[str, Any] = {"first": "Bo"} if design == "order" else {"sides": {"Ada": "against", "Bo": "for"}}
    turned = "reversed" if design == "claim" else "swapped"
    return [
        row(2 * number, winners[0], design={design: "given"}, group=str(number)),
        row(2 * number + 1, winners[1], design={design: turned}, group=str(number), **swapped),
    ]


@pytest.mark.parametrize(
    ("design", "first", "second"),
    [("order", "first speaker", "second speaker"), ("sides", "for", "against"), ("claim", "for", "against")],
)
def test_pairs_tell_the_persona_from_its_place(design: str, first: str, second: str) -> None:
    """Ada opens, or is for the claim, in the first of each pair. Nine pairs go to that place both times, two to the
    other, three to the same persona; one is half undecided."""
    winners = [("Ada", "Bo")] * 9 + [("Bo", "Ada")] * 2 + [("Ada", "Ada")] * 2 + [("Bo", "Bo"), ("Ada", None)]
    rows = [one for number, both in enumerate(winners) for one in pair(number, both, design)]
    [found] = analyse(rows).paired
    assert (found.design, found.first, found.second) == (design, first, second)
    assert (found.first_both, found.second_both) == (9, 2)
    assert (found.same_persona.count, found.same_persona.n, found.same_persona.missing) == (3, 14, 1)
    assert found.p == pytest.approx(0.06543, abs=5e-6)


def test_pairs_of_which_a_debate_is_lost_are_missing() -> None:
    pairs = [pair(number, ("Ada", "Bo")) for number in range(6)]
    for one, status in ((pairs[0][1], "failed"), (pairs[1][0], "waiting")):
        one.status, one.winner = status, None  # type: ignore[assignment]
    for one in pairs[2]:
        one.status = "interrupted"
    del pairs[3][0]
    [found] = analyse([one for both in pairs for one in both]).paired
    assert (found.first_both, found.same_persona.n, found.same_persona.missing) == (2, 2, 4)
    none = [one.model_copy(update={"status": "waiting"}) for one in pair(0, (None, None))]
    assert analyse(none).paired == []


def test_a_denial_that_is_upheld_is_the_claim_rejected() -> None:
    """Ada holds the claim in both of each pair. In two of three pairs she wins both times."""
    pairs = [("Ada", "Ada"), ("Ada", "Ada"), ("Bo", "Bo")]
    rows = [
        one.model_copy(update={"factors": {"topic": str(number % 2)}})
        for number, winners in enumerate(pairs)
        for one in pair(number, winners, "claim")
    ]
    assert [one.upheld for one in rows] == [True, False, True, False, False, True]
    found = analyse(rows)
    assert (found.upheld.count, found.upheld.n) == (4, 6)
    assert found.win_rates["judge"]["Kim (x/j)"].count == 4
    assert [(one.value, one.upheld.count, one.upheld.n) for one in found.factors["topic"]] == [("0", 2, 4), ("1", 2, 2)]
    assert "reversed" in told(found)


def test_what_is_lacking_is_told_for_each_value_of_each_factor() -> None:
    rows = [row(n, factors={"topic": "many", "repeat": n}) for n in range(20)]
    rows += [row(20, None, factors={"topic": "few"})]
    rows += [row(n, None, status="waiting", factors={"topic": "few"}) for n in range(21, 30)]
    rows += [row(30, None, status="failed", factors={"topic": "none"})]
    found = analyse(rows)
    assert [(one.value, one.planned, one.done, one.failed, one.undecided) for one in found.factors["topic"]] == [
        ("many", 20, 20, 0, 0),
        ("few", 10, 1, 0, 1),
        ("none", 1, 0, 1, 0),
    ]
    assert told(found)["none_done"] == "None done, of 3 values of “topic”, with: none."
    assert told(found)["few_done"] == "Few done, of 3 values of “topic”, with: few."
    assert not {"none_done", "few_done"} & set(told(analyse(rows[:20])))


def test_flips_are_counted_where_both_decisions_and_the_answer_are_known() -> None:
    kinds = [(True, False)] * 2 + [(False, True)] * 9 + [(True, True)] * 3 + [(None, True), (False, None)]
    rows = [
        row(n, "Ada" if n % 2 else "Bo", answer=True, first_correct=before, correct=after)
        for n, (before, after) in enumerate(kinds)
    ]
    found = analyse([*rows, row(99)]).flips
    assert found is not None
    assert (found.right_to_wrong.count, found.right_to_wrong.n, found.right_to_wrong.missing) == (2, 14, 2)
    assert found.wrong_to_right.count == 9
    assert found.p == pytest.approx(0.06543, abs=5e-6)
    assert found.adjusted == pytest.approx(3 * 0.06543, abs=2e-5), "one of three tests"
    assert (found.right.count, found.right.n, found.right.missing) == (13, 15, 1)
    assert (found.first_right.count, found.first_right.n, found.first_right.missing) == (5, 15, 1)
    assert analyse([row(1)]).flips is None


def test_changes_of_mind_without_evidence_are_counted() -> None:
    def flip(evidence: bool, before: bool | None = None, after: bool | None = None) -> Flip:
        return Flip(agent="x", before="a", after="b", evidence=evidence, right_before=before, right_after=after)

    flips = [flip(True), flip(False), flip(False, True, False), flip(True, True, False), flip(True, False, True)]
    found = analyse([row(1, protocol="arena", flips=flips)]).minds
    assert found is not None
    assert (found.changes, found.without_evidence.count, found.right_to_wrong, found.wrong_to_right) == (5, 2, 2, 1)
    assert found.right_to_wrong_without_evidence == 1
    assert analyse([row(1)]).minds is None


def test_factors_and_spending_are_summed_up() -> None:
    rows = [row(n, "Ada" if n % 2 else "Bo", factors={"turns": n % 2, "repeat": n}, cost=n / 10) for n in range(4)]
    found = analyse([*rows, row(9, None, status="limit", cost=None, factors={"turns": 1})])
    assert list(found.factors) == ["turns"]
    assert [(one.value, one.done, one.upheld.count) for one in found.factors["turns"]] == [("0", 2, 0), ("1", 2, 2)]
    cost = found.spent["cost"]
    assert (cost.n, cost.unknown, cost.least, cost.most) == (4, 1, 0.0, 0.3)
    assert (cost.total, cost.median) == pytest.approx((0.6, 0.15))


def test_factors_and_designs_do_not_hide_each_other_and_large_ones_are_named() -> None:
    rows = [row(n, factors={"order": "fixed", "topic": n}, design={"order": "given"}) for n in range(51)]
    found = analyse(rows)
    assert list(found.factors) == ["order", "design: order"]
    assert told(found)["many_values"].startswith("“topic” has more than 50 values")


winners = st.sampled_from(["Ada", "Bo", None])


@given(st.lists(st.tuples(winners, st.sampled_from(["Ada", "Bo"]), st.sampled_from(["Kim", "Lou"])), max_size=30))
def test_wins_and_losses_add_up(kinds: list[tuple[str | None, str, str]]) -> None:
    found = analyse([row(n, winner, first, judge=judge) for n, (winner, first, judge) in enumerate(kinds)])
    decided = sum(winner is not None for winner, _, _ in kinds)
    for rates in (found.win_rates.get(by, {}) for by in ("persona", "side", "speaking order")):
        assert sum(one.count for one in rates.values()) == (decided if rates else 0)
        assert all(one.n == decided and one.n + one.missing == len(kinds) for one in rates.values())
    assert sum(one.n for one in found.win_rates.get("judge", {}).values()) == decided


def test_topics_are_counted_and_not_their_repeats() -> None:
    """Ada wins all twelve debates on five of eight topics, and none on the others."""
    rows = [
        row(100 * topic + n, "Ada" if topic < 5 else "Bo", topic=f"T{topic}") for topic in range(8) for n in range(12)
    ]
    found = analyse(rows)
    order, _ = found.effects
    assert (order.rate.count, order.rate.n, order.rate.clusters, found.topics) == (60, 96, 8, 8)
    # As five against three: 2 · (1 + 8 + 28 + 56) / 256.
    assert order.p == pytest.approx(0.7266, abs=5e-5)
    assert order.rate.low is not None and order.rate.low < 0.35
    assert "for other topics like these 8" in told(found)["topics"]


def test_one_topic_is_what_the_figures_are_about() -> None:
    found = analyse([row(n, topic="T", said=str(n)) for n in range(20)])
    assert found.effects[0].p is not None and found.effects[0].p < 0.001
    assert "one_topic" in told(found)


def test_debates_that_repeat_each_other_word_for_word_count_once() -> None:
    rows = [row(n, topic=f"T{n % 6}", cell=f"c{n % 6}", said="same") for n in range(120)]
    found = analyse(rows)
    assert (found.debates, found.duplicates, found.upheld.n) == (120, 114, 6)
    assert told(found)["repeated"].startswith("114 of 120 debates")
    differing = analyse([one.model_copy(update={"said": one.id}) for one in rows])
    assert (differing.duplicates, differing.upheld.n) == (0, 120)
