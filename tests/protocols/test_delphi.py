"""Delphi: spreads, when it is stable, and what is missing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.delphi import Outcome as Estimated
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


def delphi(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Estimated, moot.Result]:
    result, _ = demonstrated("delphi", folder, replies, **settings)
    assert isinstance(result.outcome, Estimated), result.reason
    return result.outcome, result


@pytest.mark.usefixtures("reports_are_read")
def test_experts_estimate_until_it_is_stable(tmp_path: Path) -> None:
    found, result = delphi(tmp_path)
    assert [one.moved for one in found.rounds] == [None, 0.8, 0.0], "a fourth round was allowed, and not needed"
    assert found.answer == "50 days"
    assert result.summary.reached.endswith("all 5 from 40 to 75. At the median each is 80% sure of 30 to 90.")
    assert found.widths == pytest.approx((35, 10))
    assert "the middle half was 35 wide, and is 10 wide" in (result.summary.change or "")
    report = (result.stored.path / "report.md").read_text("utf-8")
    assert "●" in report
    brief = result.summary.brief
    entries = {entry.seq: entry for entry in result.stored.entries()}
    assert [entries[point.entries[0]].speaker for point in brief.because] == ["Expert 2", "Expert 3", "Expert 4"]
    assert [one.who for one in brief.dissent] == ["Expert 1", "Expert 5"], "the lowest and the highest"
    assert brief.firmness.startswith(
        "Rough: the middle half of the estimates goes from 50 to 60; each expert allows for"
    )
    assert "20 (12 to 40) days" in report and "12.0" not in report, "figures are said once"
    assert codes(result) == []


def test_a_full_debate_holds_every_round(tmp_path: Path) -> None:
    fourth = estimates(4, dict.fromkeys(range(1, 6), 50))
    found, _ = delphi(tmp_path, fourth, full=True)
    assert len(found.rounds) == 4
    plans = [asyncio.run(moot.plan(demo_config("delphi", tmp_path, full=full))) for full in (False, True)]
    assert [(plan.calls, plan.at_most) for plan in plans] == [(20, True), (20, False)]


def test_an_estimate_outside_its_own_range_is_sent_back(tmp_path: Path) -> None:
    outside = {"reasons": "x", "low": 5, "high": 6, "estimate": 9, "unit": "days"}
    found, result = delphi(tmp_path, {"expert-1/estimate/1": [outside, outside, outside]})
    assert "Expert 1" not in found.rounds[0].estimates
    assert codes(result) == ["replies_missing"]


def test_a_spread_that_grows_is_told(tmp_path: Path) -> None:
    wide = {"reasons": "x", "low": 0, "high": 999, "unit": "days"}
    apart = {f"expert-{n}/estimate/{r}": {**wide, "estimate": 100 * n} for n in range(1, 6) for r in (2, 3)}
    found, result = delphi(tmp_path, apart)
    assert found.widths == pytest.approx((35, 200)) and codes(result) == ["spread_grew"]
    same = estimates(1, dict.fromkeys(range(1, 6), 50)) | estimates(2, {n: 10 * n for n in range(1, 6)})
    found, result = delphi(tmp_path / "same", same | estimates(3, {n: 10 * n for n in range(1, 6)}))
    assert found.widths == pytest.approx((0, 20)) and codes(result) == ["spread_grew"], "they were of one mind at first"


def test_experts_are_told_what_an_estimate_has_to_be(tmp_path: Path) -> None:
    _, model = demonstrated("delphi", tmp_path)
    asked = [one.messages[-1].content for one in model.requests]
    assert all("`estimate`, which lies between them" in " ".join(one.split()) for one in asked)


def estimates(number: int, values: dict[int, Any], unit: str = "days") -> dict[str, Any]:
    """The replies of a round: an estimate for each expert, or one that cannot be used."""
    given = {"reasons": "x", "low": 0, "high": 10**12, "unit": unit}
    return {
        f"expert-{expert}/estimate/{number}": BAD if value is None else {**given, "estimate": value}
        for expert, value in values.items()
    }


def test_large_numbers_keep_their_digits(tmp_path: Path) -> None:
    people = {expert: 331_449_280 + expert for expert in range(1, 6)}
    script = estimates(1, people) | estimates(2, people) | dict.fromkeys(estimates(3, people))
    result, model = demonstrated("delphi", tmp_path, script)
    assert result.summary.headline.startswith("331449283 days (middle half of 5 estimates: ")
    again = next(one for one in model.requests if one.key == "expert-1/estimate/2").messages[-1].content
    assert "median 331449283;" in again and "331449281 (0 to 1000000000000) days" in again
    assert [figure(one) for one in (50.0, 0.25, 1e-5, 123456.75, 2e14, 1e20)] == [
        *("50", "0.25", "0.00001", "123456.75", "200000000000000", "1e+20"),
    ]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1.7e308", "-1.7e308", "1" + "0" * 400, "NaN", "Infinity"])
def test_what_is_no_number_is_no_estimate(number: str, tmp_path: Path) -> None:
    reply = f'{{"reasons": "x", "low": {number}, "high": {number}, "estimate": {number}, "unit": "days"}}'
    found, result = delphi(tmp_path, {"expert-1/estimate/1": [reply] * 3})
    assert "Expert 1" not in found.rounds[0].estimates and codes(result) == ["replies_missing"]


def test_an_estimate_in_another_unit_is_sent_back(tmp_path: Path) -> None:
    months = {"reasons": "x", "low": 1, "high": 4, "estimate": 2, "unit": "another unit"}
    days = {"reasons": "x", "low": 20, "high": 80, "estimate": 40, "unit": "days"}
    result, model = demonstrated("delphi", tmp_path, {"expert-1/estimate/1": [months, days]})
    asked = [one for one in model.requests if one.key == "expert-1/estimate/1"]
    assert len(asked) == 2 and "give it in days" in asked[1].messages[-1].content
    assert result.outcome.rounds[0].estimates["Expert 1"] == 40  # type: ignore[union-attr]


def test_without_a_unit_it_is_told_if_experts_have_several(tmp_path: Path) -> None:
    script: dict[str, Any] = dict.fromkeys(estimates(3, dict.fromkeys(range(1, 6))))
    for number in (1, 2):
        script |= estimates(number, {1: 90, 2: 90, 4: 90, 5: 90}) | estimates(number, {3: 3}, "months")
        script[f"expert-5/estimate/{number}"]["unit"] = "Day"
    found, result = delphi(tmp_path, script, unit="")
    assert (found.rounds[-1].units, codes(result)) == (["Day", "months"], ["units_differ"])


def test_an_outage_is_neither_a_change_nor_stable(tmp_path: Path) -> None:
    """Of those who estimated twice, a share changed; whoever is missing, or comes back, says nothing."""
    back = {"expert-2/estimate/2": BAD}
    assert [one.moved for one in delphi(tmp_path / "back", back)[0].rounds] == [None, 0.75, 0.0]
    out: dict[str, Any] = {}
    for number in (1, 2, 3):
        out |= estimates(number, {1: 10 * number, **dict.fromkeys(range(2, 5), 50), **dict.fromkeys(range(5, 8))})
    found, _ = delphi(tmp_path / "out", out, agents=7, rounds=3)
    assert [one.moved for one in found.rounds] == [None, 0.25, 0.25], "one of four changed, not one of seven"


def test_a_last_round_that_nobody_answers_has_no_median(tmp_path: Path) -> None:
    script = estimates(2, dict.fromkeys(range(1, 6))) | dict.fromkeys(estimates(3, dict.fromkeys(range(1, 6))))
    found, result = delphi(tmp_path, script, rounds=2)
    assert (found.answer, found.first, result.summary.decided) == (None, "50 days", False)


@pytest.mark.usefixtures("reports_are_read")
def test_an_expert_who_fails_at_first_is_in_the_table(tmp_path: Path) -> None:
    _, result = delphi(tmp_path, {"expert-1/estimate/1": BAD})
    assert ["Expert 1", "–", "40", "40"] in report_rows(result)


def test_an_outage_does_not_narrow_the_spread(tmp_path: Path) -> None:
    first = estimates(1, {1: 10, 2: 20, 3: 50, 4: 80, 5: 90})
    last = estimates(2, {1: None, 2: None, 3: 50, 4: 80, 5: None}) | dict.fromkeys(
        estimates(3, dict.fromkeys(range(1, 6)))
    )
    found, result = delphi(tmp_path, first | last)
    assert found.widths == pytest.approx((15, 15)), "two are left of five, and both estimate as before"
    assert codes(result) == ["replies_missing"]


def test_a_single_round_changes_nothing(tmp_path: Path) -> None:
    later = [estimates(number, dict.fromkeys(range(1, 6))) for number in (2, 3)]
    found, result = delphi(tmp_path, dict.fromkeys(later[0] | later[1]), rounds=1)
    assert (found.widths, result.summary.change, result.summary.headline) == (
        None,
        None,
        "50 days (middle half of 5 estimates: 35 to 70)",
    )


def test_a_unit_that_all_experts_name_is_that_of_the_answer(tmp_path: Path) -> None:
    found, _ = delphi(tmp_path, unit="")
    assert (found.answer, found.rounds[-1].units) == ("50 days", ["days"])
