"""The summary, printed from result documents."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from moot.cli.views.duel import score_chart
from rich.cells import cell_len
from rich.console import Console

import moot
from moot.cli.summary import print_summary
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config
from tests.kit.terminal import printed, told


def document(**changes: Any) -> dict[str, Any]:
    """A duel of four turns that Ada won against the first impressions."""
    plain: dict[str, Any] = {
        "run": "debates/20260101T000000Z-tea",
        "protocol": "duel",
        "status": "done",
        "reason": None,
        "topic": "Tea or coffee?",
        "premise": "Tea is better.",
        "winner": "Ada",
        "scores": {"Ada": 8, "Bo": 6},
        "premise_upheld": True,
        "reasoning": "Ada wins.",
        "scores_from": "verdict",
        "scores_contradict_winner": False,
        "confirmed": True,
        "first_impressions": {"scores": {"Ada": 5, "Bo": 7}, "winner": "Bo", "changed": True},
        "running_scores": {"Ada": [5, 8], "Bo": [7, 6]},
        "notices": [],
        "failures": [],
        "spent": {"calls": 22, "input": 12000, "cached": 0, "output": 3000, "cost": 0.0123},
        "spent_by": {},
        "seconds": 83.4,
        "longest_chain": 13,
        "receipt": {},
    }
    return plain | changes


def test_a_real_duel(tmp_path: Path) -> None:
    result = play(small_config(tmp_path, 4), ScriptedModel(full_script(4)))
    text = told(result.document())
    assert "Ada wins, 8 to 6. The premise is upheld: It is so." in text
    assert "● Ada 5 7 8" in text
    assert "◆ Bo 6 8 6" in text
    assert "First impressions alone would have made Bo the winner (6 to 5)." in text
    assert "! Replies come from a script, not from a model." in text
    assert "22 calls · " in text
    assert f"Report: {result.run}/report.html" in text
    assert "moot resume" not in text


def test_a_real_duel_that_hit_a_limit(tmp_path: Path) -> None:
    result = play(small_config(tmp_path, 4, max_calls=9), ScriptedModel(full_script(4)))
    text = told(result.document())
    assert "No verdict. Stopped at a limit: the limit of 9 calls is reached" in text
    assert f"To go on: moot resume {result.run}" in text
    assert moot.find_run(result.run).path == Path(result.run)


def test_the_whole_page() -> None:
    assert (
        printed(document())
        == """\
Ada wins, 8 to 6. The premise is upheld: Tea is better.

          first score   running score   final score
  ─────────────────────────────────────────────────
  ● Ada             5               8             8
  ◆ Bo              7               6             6

     8 ┤                    ●8──────────────────
     7 ┤          ◆7┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
     6 ┤                              ◆6┄┄┄┄┄┄┄┄
     5 ┤●5──────────────────
  turn └1─────────2─────────3─────────4─────────

The debate made a difference. First impressions alone would have made Bo the
winner (7 to 5).

22 calls · 15,000 tokens · $0.0123 · 1:23 min
Report: debates/20260101T000000Z-tea/report.html
"""
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"premise_upheld": False}, "The premise is not upheld: Tea is better."),
        ({"premise_upheld": None, "premise": None}, "Ada wins, 8 to 6. first score"),
        ({"winner": None}, "No winner: the judge's replies do not establish one."),
        ({"scores": {"Ada": 8, "Bo": None}}, "Ada wins. The premise"),
        ({"scores_contradict_winner": True}, "The scores contradict the winner"),
        ({"scores": {"Ada": 8, "Bo": 8}}, "The scores are level: the winner is whom the judge named."),
        ({"scores_from": "running"}, "The final scores are the last running ones"),
        (
            {"status": "interrupted", "winner": None, "reasoning": None, "premise_upheld": None},
            "No verdict. Interrupted",
        ),
    ],
)
def test_the_verdict_is_told_as_it_is(changes: dict[str, Any], expected: str) -> None:
    assert expected in told(document(**changes))


def impressions(winner: str | None, changed: bool | None, **scores: int | None) -> dict[str, Any]:
    return document(first_impressions={"scores": scores, "winner": winner, "changed": changed})


def test_what_the_debate_changed() -> None:
    assert "did not change the outcome. First impressions alone would have made Ada the winner (9 to 7), too." in told(
        impressions("Ada", False, Ada=9, Bo=7)
    )
    assert "First impressions alone would have decided nothing (6 to 6); the debate decided." in told(
        impressions(None, None, Ada=6, Bo=6)
    )
    undecided = impressions("Ada", None, Ada=7, Bo=6) | {"winner": None, "reasoning": None}
    assert "would have made Ada the winner (7 to 6); there is no verdict to set against that." in told(undecided)
    assert "A first score is missing (none to 6), so nobody can say whether the debate changed anything." in told(
        impressions(None, None, Ada=None, Bo=6)
    )


def test_a_winner_that_was_not_confirmed_is_marked() -> None:
    assert "did not confirm the winner by name" in told(document(confirmed=False))
    assert "did not confirm" not in told(document())


def test_a_debate_without_a_judge_has_no_scores_to_show() -> None:
    nothing = {"winner": None, "reasoning": None, "premise_upheld": None, "scores_from": None}
    empty: dict[str, Any] = {
        "first_impressions": None,
        "running_scores": {"Ada": [], "Bo": []},
        "scores": {"Ada": None, "Bo": None},
    }
    text = told(document(**nothing, **empty))
    assert text.startswith("No verdict: this debate had no judge. 22 calls")


def test_a_run_that_stopped_before_it_began() -> None:
    early = document(status="failed", reason="no key")
    for key in ("topic", "premise", "winner", "scores", "first_impressions", "running_scores", "reasoning"):
        del early[key]
    assert told(early).startswith("Stopped by a failure: no key 22 calls")


def test_another_protocol_is_summed_up_without_a_part_of_its_own() -> None:
    assert told(document(protocol="panel")).startswith("The panel is done. 22 calls")


def test_what_is_unknown_is_said_to_be() -> None:
    text = told(document(spent={"calls": 1, "input": None, "cached": None, "output": 5, "cost": None}, seconds=4000))
    assert "1 call · tokens unknown · cost unknown · 1:06:40 h" in text


def test_failures_are_counted_and_the_first_are_shown() -> None:
    failures = [{"key": f"B/think/{number}", "agent": "Bo", "reason": f"m/m: 50{number}"} for number in range(5)]
    text = told(document(failures=failures))
    assert "5 failures on the way: Bo at B/think/0: m/m: 500 Bo at B/think/1: m/m: 501" in text
    assert "502 and 2 more, in result.json" in text
    assert "503" not in text
    assert "1 failure on the way:" in told(document(failures=failures[:1]))


@pytest.mark.parametrize(
    ("run", "command"),
    [
        ("debates/20260101T000000Z-tea", "moot resume 20260101T000000Z-tea"),
        ("elsewhere/20260101T000000Z-tea", "moot resume elsewhere/20260101T000000Z-tea"),
        ("my runs/20260101T000000Z-tea", "moot resume 'my runs/20260101T000000Z-tea'"),
    ],
)
def test_an_unfinished_run_can_be_taken_up_by_copying_a_line(run: str, command: str) -> None:
    assert f"To go on: {command}\n" in printed(document(run=run, status="limit", reason="9 calls"), width=40)


def test_long_paths_are_not_broken_and_nothing_else_is_too_wide() -> None:
    run, name = "debates/" + "x" * 120, "Dr. Ōmoto 大本 of the Institute for Comparative Beverages 🍵"
    sample = document(
        run=run,
        notices=["A rather long notice that has to be broken somewhere. " * 3],
        failures=[{"key": "B/think/3", "agent": "Bo", "reason": "something went wrong, at length " * 9}],
        winner=name,
        scores={name: 8, "Bo": 6},
        first_impressions={"scores": {name: 5, "Bo": 7}, "winner": "Bo", "changed": True},
        running_scores={name: [5, 8, 7, 6], "Bo": [7, 6, 5, 4]},
    )
    for width in (40, 80, 200):
        report, *others = sorted(printed(sample, width).splitlines(), key=lambda line: not line.startswith("Report"))
        assert report == f"Report: {run}/report.html"
        assert max(map(cell_len, others)) <= min(width, 100)


def test_hostile_text_is_shown_and_not_obeyed() -> None:
    hostile = "[red]x[/red] :smile: \x1b[2J\x9b2J\u202e"
    sample = document(
        run=f"debates/{hostile}",
        status="failed",
        reason=hostile,
        premise=hostile,
        winner=hostile,
        notices=[hostile],
        scores={hostile: 1, "Bo": 2},
        first_impressions={"scores": {hostile: 5, "Bo": 3}, "winner": hostile, "changed": False},
        running_scores={hostile: [5], "Bo": [3]},
        failures=[{"key": hostile, "agent": hostile, "reason": hostile}],
    )
    text = printed(sample)
    assert text.count("[red]x[/red] :smile:") >= 8
    assert not re.search(r"[\x1b\x9b\u202e]", text)


def test_no_colour_off_a_terminal_and_shapes_tell_the_debaters_apart() -> None:
    text = printed(document())
    assert "\x1b" not in text
    assert re.search(r"●5─+\n", text)
    assert re.search(r"◆7┄+\n", text)


def test_a_console_that_lacks_our_signs_gets_plainer_ones() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    print_summary(document(premise="茶 is better."), Console(file=file, width=80, _environ={}))
    file.flush()
    text = raw.getvalue().decode("ascii")
    assert "     8 |                    o8------------------\n" in text
    assert "     7 |          x7..................\n" in text
    assert "22 calls - 15,000 tokens" in text


def chart(width: int = 80, **running: list[int | None]) -> list[str]:
    return [row.plain.rstrip() for row in score_chart(running, width)]


def test_chart_where_both_hold_the_same_score() -> None:
    assert chart(22, Ada=[6, 6], Bo=[6, 6]) == ["     6 ┤●6─◆6═●6═◆6═", "  turn └1──2──3──4──"]


def test_chart_marks_turns_without_a_score_and_holds_the_last_one() -> None:
    assert chart(30, Ada=[None, 6, None], Bo=[7, None]) == [
        "     7 ┤    ◆7┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
        "     6 ┤        ●6──────────",
        "  turn └1?──2───3───4?──5?──",
    ]


def test_chart_of_the_whole_scale_stays_low() -> None:
    rows = chart(60, Ada=[0, 10], Bo=[10, 3])
    assert len(rows) == 7
    assert [row.split("┤")[0].strip() for row in rows[:-1]] == ["9-10", "7-8", "5-6", "3-4", "1-2", "0"]


def test_chart_of_a_long_debate_shows_its_end() -> None:
    rows = chart(40, Ada=[5] * 50, Bo=[6] * 50)
    assert max(map(len, rows)) <= 40
    assert rows[-1].startswith("  turn └95")
    assert rows[-1].endswith("100──")
