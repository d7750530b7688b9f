"""What an evaluation leaves to read; nothing in a dataset or an answer is more than text in it."""

import csv
import json
from pathlib import Path

from moot.stats import paired_shares
from tests.kit.quiz import Quiz, run, write

ATTACK = '=HYPERLINK("http://x")|<script>alert(1)</script>[x](http://x)\x1b[31m'


def evaluated(folder: Path) -> Path:
    rows = [
        {
            "id": f"Q1 {ATTACK}",
            "question": f"Q1 {{task}} {ATTACK} which?",
            "answer": f"{ATTACK}",
            "context": "ANSWER: no",
        },
        {"id": "Q2", "question": "Q2: {form} who?", "answer": "Ada"},
    ]
    quiz = Quiz({"Q1": {"voter-1": f"ANSWER: {ATTACK}"}}, {"voter-1": "ANSWER: ada.", "Avery": "ANSWER: =1+1"})
    run(quiz, write(folder, rows), ["duel"], baselines=["single"])
    return folder / "out"


def test_rows_are_lines_and_cells(tmp_path: Path) -> None:
    out = evaluated(tmp_path)
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text("utf-8").splitlines()]
    assert [(row["method"], row["grade"]) for row in rows] == [
        ("duel", "wrong"),
        ("single", "right"),
        ("duel", "wrong"),
        ("single", "right"),
    ]
    with (out / "rows.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.reader(file))
    assert cells[0] == list(rows[0])
    assert len(cells) == 5
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in cells for cell in line)


def test_the_summary_is_the_evaluation(tmp_path: Path) -> None:
    summary = json.loads((evaluated(tmp_path) / "summary.json").read_text("utf-8"))
    assert (summary["done"], summary["questions"], summary["dataset"]) == (2, 2, "quiz")
    assert "rows" not in summary


def test_a_comparison_is_narrow_enough_for_a_screen(tmp_path: Path) -> None:
    text = (evaluated(tmp_path) / "report.md").read_text("utf-8")
    part = text[text.index("## Comparisons") : text.index("## How much was debated")]
    heads = [" ".join(line.split()) for line in part.splitlines() if line.startswith("| Against")]
    assert heads[0] == "| Against | n | Debate | Other | Difference | 95 % interval | Test | Adjusted |"
    assert heads[-1] == "| Against | Only the debate right | Only the other right | Tokens | Cost |"
    apart = paired_shares([True] * 8, [True, False] * 4, range(8))
    assert apart.low is not None and apart.low > 0 and apart.p == 0.125, "interval and test seem to contradict"
    assert "the interval may leave out 0 although the test shows nothing: then neither is called better" in part
    assert "- Models of the speakers of " in text


def test_reports_show_hostile_text_and_do_not_obey_it(tmp_path: Path) -> None:
    out = evaluated(tmp_path)
    page, text = (out / "report.html").read_text("utf-8"), (out / "report.md").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\x1b" not in page + text
    assert "\\<script>" in text
    assert "[x](http://x)" not in text
    assert "default-src 'none'" in page
    assert "http-equiv" in page
    for words in ("Does debating pay?", "Cannot tell whether debating paid here", "McNemar"):
        assert words in page
        assert words in text
