"""The chart of ranges: round numbers on its scale, everything in its frame, and the same in words."""

from pathlib import Path

import pytest

from moot.report.spread_chart import draw, ticks
from moot.stats import chart_spreads
from tests.kit.shelf import demonstrated


@pytest.mark.parametrize(
    ("least", "most", "found"),
    [
        (20, 120, [20, 40, 60, 80, 100, 120]),
        (0.1, 0.35, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]),
        (-7, 9, [-5, 0, 5]),
        (3, 3, [3]),
        (1e299, 1e300, [2e299, 4e299, 6e299, 8e299, 1e300]),
    ],
)
def test_its_scale_has_round_numbers(least: float, most: float, found: list[float]) -> None:
    assert ticks(least, most) == pytest.approx(found)


def test_everything_is_in_its_frame() -> None:
    chart = draw(
        chart_spreads({"Round 1": [20, 35, 50, 70, 120], "Alone": [3], "Round 2": [40.5, 60]}, "days", [5, 6, 8])
    )
    assert [(row.name, row.seq) for row in chart.rows] == [("Round 1", 5), ("Round 2", 8)], "one number has no spread"
    for row in chart.rows:
        places = [row.least, row.lower, row.median, row.upper, row.most]
        assert places == sorted(places) and chart.left <= places[0] and places[-1] <= chart.right
        assert 0 < row.y < chart.height
        assert {*row.points} >= {row.least, row.most}
    assert chart.rows[0].words == "median 50, the middle half from 35 to 70, all from 20 to 120 days"
    even = draw(chart_spreads({"Round 1": [7, 7]}))
    assert even.rows[0].least == even.rows[0].most and len(even.ticks) == 1


def test_delphi_is_drawn_on_the_page_and_in_characters_elsewhere(tmp_path: Path) -> None:
    result, _ = demonstrated("delphi", tmp_path)
    page, text = ((result.stored.path / f"report.{form}").read_text("utf-8") for form in ("html", "md"))
    assert '<section id="spread" aria-labelledby="spread-h" class="grows">' in page, "it grows in a replay"
    assert page.count('<g class="range" data-seq=') == 3
    assert "Round 1: median 50, the middle half from 35 to 70, all from 20 to 120 days." in page
    assert "═●" in text and "═●" not in page
