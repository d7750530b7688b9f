"""Runs inside batches and evaluations are found, listed and read, whatever else lies in the folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.staging.finding import find_study, known_as, list_studies
from moot.studies.batch import Batch, write_documents
from moot.studies.overview import overview_of, page_of, rows_of
from tests.kit.batches import TOPICS, answering, made, ran, write_grid
from tests.kit.command import moot as command


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    """Six finished duels."""
    found = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "out" / "drinks")
    ran(found, answering(lambda told: "Bo" if "Case 3" in told else "Ada"))
    write_documents(found)
    return found


def test_a_batch_is_one_study_and_its_runs_have_names(batch: Batch) -> None:
    out = str(batch.path.parent)
    assert moot.list_runs(out) == []
    [study] = list_studies(out)
    assert (study.name, study.kind) == ("drinks", "batch")
    runs = study.runs()
    assert [run.name for run in runs] == sorted(f"drinks~{item.id}" for item in batch.items())
    for run in runs:
        found = moot.find_run(run.name, out)
        assert found == run
        assert found.name == run.name
        assert moot.verify(found).faults == []
    assert list_studies(str(batch.path)) == [study]
    assert moot.find_run(runs[0].name, str(batch.path)) == runs[0]
    assert moot.find_run(runs[0].name[: len("drinks~") + 8], out) == runs[0]
    assert moot.find_run("latest", out).name.startswith("drinks~")
    with pytest.raises(moot.ConfigError, match="fits 6 runs"):
        moot.find_run("drinks", out)


def test_an_overview_says_how_far_a_batch_has_come(batch: Batch) -> None:
    study = find_study("drinks", str(batch.path.parent))
    assert study
    found = overview_of(study)
    assert (found.status, found.progress, found.total) == ("done", "6 of 6 debates done", 6)
    assert found.headline == "5 × claim upheld; 1 × claim not upheld"
    with batch.hold():
        assert overview_of(study).status == "running"
    rows = rows_of(study)
    assert [row.runs for row in rows] == [(f"drinks~{item.id}",) for item in batch.items()]
    assert [row.outcome for row in rows].count("No, on the reasons given (8 to 3)") == 1
    page = page_of(study)
    assert page
    assert page.headline == "6 of 6 debates done"


BREAKS: dict[str, Callable[[Path], object]] = {
    "no JSON": lambda path: (path / "batch.json").write_text("{"),
    "no object": lambda path: (path / "batch.json").write_text("[]"),
    "no figures": lambda path: (path / "batch.json").write_text('{"file": 1, "created": "x", "debates": "many"}'),
    "a ledger of lists": lambda path: (path / "ledger.jsonl").write_text("[]\n"),
    "a ledger without rows": lambda path: (path / "ledger.jsonl").write_text('{"row": 3}\n'),
}


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_batch_costs_one_line(batch: Batch, broken: str) -> None:
    BREAKS[broken](batch.path)
    [study] = list_studies(str(batch.path.parent))
    found = overview_of(study)
    assert found.status == "unreadable"
    assert found.fault
    assert "cannot be read" in found.fault
    assert "\n" not in found.fault
    assert len(study.runs()) == 6


def test_hostile_names_of_folders_are_names_like_others(batch: Batch) -> None:
    names = ["<b>a&b", "..%2f", "a~b", "-rf", "ü" * 60, "a b", "a-b"]
    out = batch.path.parent
    for name in names:
        (out / name).mkdir()
        (out / name / "batch.json").write_text("{}")
        (out / name / "items.jsonl").write_text("")
    studies = list_studies(str(out))
    assert len({one.name for one in studies}) == len(names) + 1
    for one in studies:
        assert find_study(one.name, str(out)) == one
        assert not set(one.name) & set("<>&/%~. ")
    assert known_as("a b") != known_as("a-b")


def test_nothing_is_found_through_links(batch: Batch, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "drinks").symlink_to(batch.path)
    assert list_studies(str(other)) == []
    item = batch.items()[0]
    (batch.runs / "linked").symlink_to(batch.runs / item.id)
    [study] = list_studies(str(batch.path.parent))
    assert len(study.runs()) == 6
    assert study.find("linked") is None


def test_the_list_of_runs_has_studies(batch: Batch) -> None:
    def listed(*args: str) -> Any:
        ended = command(*args, "--json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    out = str(batch.path.parent)
    [row] = listed("list", "--out", out)
    assert (row["name"], row["protocol"], row["status"]) == ("drinks", "batch", "done")
    assert row["outcome"].startswith("6 of 6 debates done: 5 × claim upheld")
    [inside] = listed("list", "--out", str(batch.path), "--query", "3? case")
    assert inside["name"].startswith("drinks~")
    assert inside["outcome"] == "No, on the reasons given (8 to 3)"
    assert listed("show", inside["name"], "--out", out)
    (batch.path / "batch.json").write_text("[")
    printed = command("list", "--out", out).out
    assert printed.count("\n") == 1
    assert "drinks: this batch cannot be read" in printed


def test_debates_that_wait_or_run_are_told_apart(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "drinks")
    study = find_study("drinks", str(tmp_path))
    assert study
    assert overview_of(study).progress == "0 of 6 debates done"
    assert [row.status for row in rows_of(study)] == ["waiting"] * 6
    with batch.hold() as ledger:
        ledger.began(batch.items()[0])
        assert overview_of(study).progress == "0 of 6 debates done, 1 running"
        assert [row.status for row in rows_of(study)] == ["running", *["waiting"] * 5]
    assert overview_of(study).progress == "0 of 6 debates done, 1 interrupted"
