"""The chart of scores, drawn from blocks."""

from moot.cli.score_chart import score_chart
from moot.present import Mark, ScoreChart, ScoreLine


def chart(width: int = 80, **running: list[int | None]) -> list[str]:
    """The chart of debaters who take turns, the first of them opening, with the legend below."""
    lines = [
        ScoreLine(name, "cyan", [Mark(len(running) * number + place + 1, score) for number, score in enumerate(scores)])
        for place, (name, scores) in enumerate(running.items())
    ]
    block = ScoreChart("Scores", "", lines, sum(map(len, running.values())))
    return [row.plain.rstrip() for row in score_chart(block, width)]


def test_chart_where_both_hold_the_same_score() -> None:
    assert chart(22, Ada=[6, 6], Bo=[6, 6]) == [
        "     6 ┤●6─◆6═●6═◆6═",
        "  turn └1──2──3──4──",
        "        ● Ada   ◆ Bo",
    ]


def test_chart_marks_turns_without_a_score_and_holds_the_last_one() -> None:
    assert chart(30, Ada=[None, 6, None], Bo=[7, None]) == [
        "     7 ┤    ◆7┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
        "     6 ┤        ●6──────────",
        "  turn └1?──2───3───4?──5?──",
        "        ● Ada   ◆ Bo",
    ]


def test_chart_without_any_score_is_none() -> None:
    assert chart(30, Ada=[None], Bo=[]) == []


def test_chart_of_the_whole_scale_stays_low() -> None:
    rows = chart(60, Ada=[0, 10], Bo=[10, 3])
    assert len(rows) == 8
    assert [row.split("┤")[0].strip() for row in rows[:-2]] == ["9-10", "7-8", "5-6", "3-4", "1-2", "0"]


def test_chart_of_a_long_debate_shows_its_end() -> None:
    rows = chart(40, Ada=[5] * 50, Bo=[6] * 50)
    assert max(map(len, rows)) <= 40
    assert rows[-2].startswith("  turn └95")
    assert rows[-2].endswith("100──")


def test_chart_of_three_has_a_shape_for_each() -> None:
    assert chart(40, Ada=[5], Bo=[6], Cy=[7]) == [
        "     7 ┤                    ■7╌╌╌╌╌╌╌╌",
        "     6 ┤          ◆6┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
        "     5 ┤●5────────────────────────────",
        "  turn └1─────────2─────────3─────────",
        "        ● Ada   ◆ Bo   ■ Cy",
    ]


def test_chart_names_who_do_not_fit_into_one_row_each_have_their_own() -> None:
    rows = chart(30, Adalbert_of_Ulm=[5], Boris_of_Kyiv=[6])
    assert rows[-2:] == ["        ● Adalbert_of_Ulm", "        ◆ Boris_of_Kyiv"]
