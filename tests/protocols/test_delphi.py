"""Delphi: spreads, when it is stable, and what is missing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.delphi import Outcome
from moot.stats.spreads import draw_spreads, spread_of
from moot.text.figures import figure
from tests.kit.shelf import BAD, codes, demo_config, demonstrated, report_rows


def test_a_spread_has_the_quartiles_of_its_numbers() -> None:
    found = spread_of([1, 2, 3, 4, 5])
    assert found is not None
    assert (found.least, found.lower, found.median, found.upper, found.most) == (1, 2, 3, 4, 5)
    assert spread_of([1]) is None
    even = spread_of([7, 7])
    assert even is not None
    key = ["", "├─┤ all  [═] middle half  ● median"]
    assert draw_spreads({"a": even}).splitlines() == ["a: median 7, middle half 7 to 7", "●", "7", *key]
    drawn = draw_spreads({"one": found}).splitlines()
    bar = "├" + "─" * 8 + "[" + "═" * 8 + "●" + "═" * 7 + "]" + "─" * 8 + "┤"
    assert drawn == ["one: median 3, middle half 2 to 4", bar, "1" + " " * 34 + "5", *key]
    assert max(map(len, drawn)) <= 36, "as wide as a phone"
    assert draw_spreads({}) == ""


def delphi(
    folder: Path, replies: dict[str, Any] | None = None, last: int = 3, **settings: Any
) -> tuple[Outcome, moot.Result, list[moot.Request]]:
    """A run of the demonstration that has its last round at this number."""
    later = {f"expert-{expert}/estimate/{number}": None for expert in range(1, 6) for number in range(last + 1, 4)}
    result, model = demonstrated("delphi", folder, {**(replies or {}), **later}, **settings)
    assert isinstance(result.outcome, Outcome), result.reason
    return result.outcome, result, model.requests


def estimates(number: int, values: dict[int, Any], unit: str = "days", **more: Any) -> dict[str, Any]:
    """The replies of a round: an estimate for each expert, or one that cannot be used."""
    given = {"reasons": "x", "moved_by": "A fact.", "low": 0, "high": 10**12, "unit": unit, **more}
    return {
        f"expert-{expert}/estimate/{number}": BAD if value is None else {**given, "estimate": value}
        for expert, value in values.items()
    }


def everybody(number: int, value: float | None) -> dict[str, Any]:
    return estimates(number, dict.fromkeys(range(1, 6), value))


@pytest.mark.usefixtures("reports_are_read")
def test_experts_estimate_until_it_is_stable(tmp_path: Path) -> None:
    found, result, _ = delphi(tmp_path)
    assert [one.moved for one in found.rounds] == [None, 0.8, 0.0], "a fourth round was allowed, and not needed"
    assert (found.answer, codes(result)) == ("50 days", [])
    assert result.summary.reached.endswith("all 5 from 40 to 75. Median 80% range: 30 to 90.")
    assert found.widths == pytest.approx((35, 10))
    assert "the middle half went from 35 to 10 wide" in (result.summary.change or "")
    brief, entries = result.summary.brief, {entry.seq: entry for entry in result.stored.entries()}
    assert [entries[point.entries[0]].speaker for point in brief.because] == ["Expert 2", "Expert 3", "Expert 4"]
    assert [one.who for one in brief.dissent] == ["Expert 1", "Expert 5"], "the lowest and the highest"
    assert brief.firmness.startswith("Rough: the middle half of the estimates goes from 50 to 60; each expert")
    report = (result.stored.path / "report.md").read_text("utf-8")
    assert "●" in report and "20 (12 to 40) days" in report and "12.0" not in report, "figures are said once"


def test_it_is_stable_by_the_share_of_those_who_estimated_twice(tmp_path: Path) -> None:
    script = estimates(1, {**dict.fromkeys(range(1, 5), 50), 5: None})
    script |= estimates(2, {1: 60, **dict.fromkeys(range(2, 6), 50)})
    found, result, _ = delphi(tmp_path, script, 2, stable=0.25)
    assert ([one.moved for one in found.rounds], result.status) == ([None, 0.25], "done")


def test_it_ends_when_all_estimate_the_same_and_a_full_debate_does_not(tmp_path: Path) -> None:
    found, _, _ = delphi(tmp_path / "same", everybody(1, 50), 1)
    assert (len(found.rounds), found.answer) == (1, "50 days")
    found, _, _ = delphi(tmp_path, everybody(4, 50), full=True)
    assert len(found.rounds) == 4
    plans = [asyncio.run(moot.plan(demo_config("delphi", tmp_path, full=full))) for full in (False, True)]
    assert [(plan.calls, plan.at_most) for plan in plans] == [(20, True), (20, False)]


def test_an_estimate_that_moves_without_a_reason_does_not_count(tmp_path: Path) -> None:
    unmoved = next(iter(estimates(2, {1: 99}, moved_by=" ").values()))
    found, _, requests = delphi(tmp_path, {"expert-1/estimate/2": unmoved})
    assert len([one for one in requests if one.key == "expert-1/estimate/2"]) == 1
    assert found.rounds[1].estimates["Expert 1"] == 20


IMPOSSIBLE = ["1e999", "-1e999", "1.7e308", "-1.7e308", "1" + "0" * 400, "NaN", "Infinity"]
UNUSABLE = [f'{{"reasons": "x", "low": {one}, "high": {one}, "estimate": {one}, "unit": "days"}}' for one in IMPOSSIBLE]


@pytest.mark.parametrize(
    "reply", [{"reasons": "x", "low": 5, "high": 6, "estimate": 9, "unit": "days"}, *UNUSABLE], ids=str
)
def test_what_is_no_number_in_its_range_is_no_estimate(reply: Any, tmp_path: Path) -> None:
    found, result, _ = delphi(tmp_path, {"expert-1/estimate/1": [reply] * 3})
    assert "Expert 1" not in found.rounds[0].estimates and codes(result) == ["replies_missing"]


def test_large_numbers_keep_their_digits(tmp_path: Path) -> None:
    people = {expert: 331_449_280 + expert for expert in range(1, 6)}
    _, result, requests = delphi(tmp_path, estimates(1, people) | estimates(2, people), 2)
    assert result.summary.headline.startswith("331449283 days (middle half of 5 estimates: ")
    again = next(one for one in requests if one.key == "expert-1/estimate/2").messages[-1].content
    assert "median 331449283;" in again and "331449281 (0 to 1000000000000) days" in again
    assert [figure(one) for one in (50.0, 0.25, 1e-5, 123456.75, 2e14, 1e20)] == [
        *("50", "0.25", "0.00001", "123456.75", "200000000000000", "1e+20"),
    ]


def test_an_estimate_in_another_unit_is_sent_back(tmp_path: Path) -> None:
    months = {"reasons": "x", "low": 1, "high": 4, "estimate": 2, "unit": "another unit"}
    days = {"reasons": "x", "low": 20, "high": 80, "estimate": 40, "unit": "days"}
    found, _, requests = delphi(tmp_path, {"expert-1/estimate/1": [months, days]})
    asked = [one for one in requests if one.key == "expert-1/estimate/1"]
    assert len(asked) == 2 and "give it in days" in asked[1].messages[-1].content
    assert found.rounds[0].estimates["Expert 1"] == 40


def test_without_a_unit_it_is_told_if_experts_have_several(tmp_path: Path) -> None:
    script: dict[str, Any] = {}
    for number in (1, 2):
        script |= estimates(number, {1: 90, 2: 90, 4: 90, 5: 90}) | estimates(number, {3: 3}, "months")
        script[f"expert-5/estimate/{number}"]["unit"] = "Day"
    found, result, _ = delphi(tmp_path, script, 2, unit="")
    assert (found.rounds[-1].units, codes(result)) == (["Day", "months"], ["units_differ"])
    found, _, _ = delphi(tmp_path / "one", unit="")
    assert (found.answer, found.rounds[-1].units) == ("50 days", ["days"]), "all experts name it"


def test_an_outage_is_neither_a_change_nor_stable(tmp_path: Path) -> None:
    """Of those who estimated twice, a share changed; whoever is missing, or comes back, says nothing."""
    back = {"expert-2/estimate/2": BAD}
    assert [one.moved for one in delphi(tmp_path / "back", back)[0].rounds] == [None, 0.75, 0.0]
    out: dict[str, Any] = {}
    for number in (1, 2, 3):
        out |= estimates(number, {1: 10 * number, **dict.fromkeys(range(2, 5), 50), **dict.fromkeys(range(5, 8))})
    found, _, _ = delphi(tmp_path / "out", out, agents=7, rounds=3)
    assert [one.moved for one in found.rounds] == [None, 0.25, 0.25], "one of four changed, not one of seven"


def test_the_spread_is_of_those_who_estimated_both_times(tmp_path: Path) -> None:
    apart = {number: {expert: 100 * expert for expert in range(1, 6)} for number in (2, 3)}
    found, result, _ = delphi(tmp_path, estimates(2, apart[2]) | estimates(3, apart[3]))
    assert found.widths == pytest.approx((35, 200)) and codes(result) == ["spread_grew"]
    first = estimates(1, {1: 10, 2: 20, 3: 50, 4: 80, 5: 90})
    found, result, _ = delphi(tmp_path / "out", first | estimates(2, {1: None, 2: None, 3: 50, 4: 80, 5: None}), 2)
    assert found.widths == pytest.approx((15, 15)), "two are left of five, and both estimate as before"
    assert codes(result) == ["replies_missing"]


@pytest.mark.parametrize(("far", "high", "counts"), [(400, 60, False), (400, 500, True), (55, 60, True)])
def test_an_estimate_outside_every_other_range_does_not_count(
    far: int, high: int, counts: bool, tmp_path: Path
) -> None:
    given = estimates(1, {1: 40, 2: 45, 3: 50, 4: 60}, low=30, high=high) | estimates(1, {5: far}, low=0, high=500)
    found, result, _ = delphi(tmp_path, given, 1, rounds=1)
    assert (found.rounds[0].odd, len(found.rounds[0].estimates)) == (None if counts else "Expert 5", 5)
    assert found.answer == ("50 days" if counts else "47.5 days")
    assert ("does not count" in result.summary.reached) is not counts


def test_where_everybody_is_outside_the_range_of_all_others_the_order_of_seats_changes_nothing(tmp_path: Path) -> None:
    for order in ((1, 2, 50, 98, 99), (99, 98, 50, 2, 1)):
        given: dict[str, Any] = {}
        for expert, value in enumerate(order, 1):
            given |= estimates(1, {expert: value}, low=value, high=value)
        found, _, _ = delphi(tmp_path / str(order[0]), given, 1, rounds=1)
        assert (found.rounds[0].odd, found.answer) == (None, "50 days")


def test_a_last_round_that_nobody_answers_has_no_median(tmp_path: Path) -> None:
    found, result, _ = delphi(tmp_path, everybody(2, None), 2, rounds=2)
    assert (found.answer, found.first, result.summary.decided) == (None, "50 days", False)


def test_a_single_round_changes_nothing(tmp_path: Path) -> None:
    found, result, _ = delphi(tmp_path, {}, 1, rounds=1)
    assert (found.widths, result.summary.change) == (None, None)
    assert result.summary.headline == "50 days (middle half of 5 estimates: 35 to 70)"


@pytest.mark.usefixtures("reports_are_read")
def test_an_expert_who_fails_at_first_is_in_the_table(tmp_path: Path) -> None:
    _, result, _ = delphi(tmp_path, {"expert-1/estimate/1": BAD})
    assert ["Expert 1", "–", "40", "40"] in report_rows(result)
