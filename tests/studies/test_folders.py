"""Study folders from somebody else: nothing in them leads out, and nothing waits."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from tests.kit.batches import made, ran, write_grid
from tests.kit.quiz import Quiz, numbers, run, short_duel, thinking, write

QUIZ = Quiz({}, {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 7"), "voter-1": "ANSWER: 7"})
TOPICS = {"topic": ["One?", "Two?"]}


def evaluate(folder: Path, **settings: Any) -> None:
    run(QUIZ, write(folder, numbers(3)), [short_duel(folder)], baselines=["single"], **settings)


def lead_away(path: Path, elsewhere: Path) -> None:
    path.rename(elsewhere)
    path.symlink_to(elsewhere, target_is_directory=True)


def replace_by_pipe(path: Path, _: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("name", "change", "seed"),
    [
        ("runs", lead_away, 1),
        ("runs/*", lead_away, 1),
        ("runs/*/single", lead_away, None),
        ("evaluation.json", lead_away, None),
        ("evaluation.json", replace_by_pipe, 1),
        ("evaluation.json", replace_by_pipe, None),
        ("rows.csv", replace_by_pipe, 1),
    ],
)
def test_an_evaluation_with_a_link_or_a_pipe_is_not_resumed(
    tmp_path: Path, name: str, change: Callable[[Path, Path], None], seed: int | None
) -> None:
    evaluate(tmp_path, limit=2)
    change(next((tmp_path / "out").glob(name)), tmp_path / "elsewhere")
    asked = len(QUIZ.asked)
    with pytest.raises(moot.RunDamaged, match=r"is a link|is a pipe"):
        evaluate(tmp_path, seed=seed)
    assert len(QUIZ.asked) == asked


def test_an_evaluation_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to("disk", target_is_directory=True)
    evaluate(tmp_path, limit=2)
    assert (tmp_path / "disk" / "report.md").is_file()


@pytest.mark.parametrize("depth", [0, 1])
def test_a_batch_with_a_link_is_not_resumed(tmp_path: Path, depth: int) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "batch")
    ran(batch)
    lead_away([batch.runs, next(batch.runs.iterdir())][depth], tmp_path / "elsewhere")
    with pytest.raises(moot.RunDamaged, match="is a link"):
        ran(batch)
