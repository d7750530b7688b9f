"""What an evaluation leaves to read; nothing in a dataset or an answer is more than text in it."""

import csv
import json
from pathlib import Path

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
