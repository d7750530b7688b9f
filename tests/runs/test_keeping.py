"""Tags stand beside a run and never in its log; the bin takes a run whole and gives it back whole."""

import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.runs.bin import BIN, binned, discard, restore
from moot.runs.tags import TAGS, set_tags, tags_of
from tests.kit.batches import answering, made, ran, write_grid
from tests.kit.command import moot as command
from tests.kit.duels import staged


@pytest.fixture
def run(tmp_path: Path) -> moot.Run:
    return staged(tmp_path / "debates")


def files(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.iterdir()}


def test_tags_are_beside_the_log(run: moot.Run) -> None:
    before = files(run.path)
    assert tags_of(run) == ()
    assert set_tags(run, ["food ", " für später", "food", ""]) == ("food", "für später")
    assert tags_of(run) == ("food", "für später")
    after = files(run.path)
    assert json.loads(after.pop(TAGS)) == ["food", "für später"]
    assert after == before
    assert moot.verify(run).faults == []


@pytest.mark.parametrize("tags", [["x" * 41], ["a,b"], [str(number) for number in range(21)]])
def test_tags_have_a_size(run: moot.Run, tags: list[str]) -> None:
    with pytest.raises(moot.ConfigError):
        set_tags(run, tags)
    assert tags_of(run) == ()


def test_the_bin_takes_a_run_and_gives_it_back(run: moot.Run) -> None:
    out, before = str(run.path.parent), files(run.path)
    gone = discard(run)
    assert gone.path == Path(out) / BIN / run.name
    assert moot.list_runs(out) == []
    assert binned(out) == [gone]
    assert files(gone.path) == before
    with pytest.raises(moot.ConfigError, match="in the bin already"):
        discard(gone)
    assert restore(run.name[:10], out) == run
    assert files(run.path) == before
    with pytest.raises(moot.ConfigError, match="fits no runs in the bin"):
        restore(run.name, out)


def test_what_runs_is_not_put_away(run: moot.Run) -> None:
    with run.hold(), pytest.raises(moot.RunBusy):
        discard(run)
    assert moot.list_runs(str(run.path.parent)) == [run]


def test_a_name_is_not_taken_from_another_run(run: moot.Run) -> None:
    out = run.path.parent
    discard(run)
    second = staged(out)
    second.path.rename(run.path)
    with pytest.raises(moot.ConfigError, match="another run has its name"):
        restore(run.name, str(out))
    assert discard(moot.Run(run.path)).name == f"{run.name}-2"
    assert len(binned(str(out))) == 2
    with pytest.raises(moot.ConfigError, match="fits 2 runs"):
        restore(run.name[:10], str(out))


def test_a_study_keeps_its_runs(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path), tmp_path / "drinks")
    ran(batch, answering())
    with pytest.raises(moot.ConfigError, match="part of a study"):
        discard(moot.find_run(f"drinks~{batch.items()[0].id}", str(tmp_path)))


def test_the_commands(run: moot.Run) -> None:
    out = str(run.path.parent)

    def said(*args: str) -> str:
        ended = command(*args, "--out", out)
        assert ended.code == 0, ended.err
        return ended.out

    def listed(*args: str) -> Any:
        return json.loads(said("list", "--json", *args))

    assert said("runs", "tag", run.name) == f"{run.name} has no tags.\n"
    assert said("runs", "tag", run.name, "food", "later") == "food\nlater\n"
    assert said("runs", "tag", run.name, "--remove", "later") == "food\n"
    assert [row["tags"] for row in listed("--tag", "food")] == [["food"]]
    assert listed("--tag", "later") == []
    assert said("runs", "bin") == "The bin is empty.\n"
    assert "To undo: moot runs bin" in said("runs", "bin", run.name)
    assert listed() == []
    assert said("runs", "bin") == f"{run.name}\n"
    assert said("runs", "bin", run.name, "--restore") == f"{run.name} is back.\n"
    assert len(listed()) == 1
    assert command("runs", "bin", "--restore", "--out", out).code == 2
