"""A debate killed at any moment loses nothing that was paid for, and goes on as if nothing had happened."""

import json
from pathlib import Path

import pytest

import moot
from moot.record.journal import Record
from moot.testing import ScriptedModel
from tests.kit.duels import (
    GatedModel,
    answer_for,
    assert_sound,
    calls_of,
    full_script,
    harsh_script,
    not_yet_paid,
    play,
    said,
    small_config,
    staged,
    take_up,
)
from tests.kit.processes import MOMENTS, in_process, process


def undisturbed(folder: Path) -> moot.Run:
    result = play(small_config(folder), ScriptedModel(harsh_script(2)))
    assert result.status == "done"
    return moot.find_run(result.run)


def tail(path: Path) -> bytes:
    """What stands in a file after its last whole line."""
    return path.read_bytes().rpartition(b"\n")[2] if path.exists() else b""


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def on_record(run: moot.Run) -> list[Record]:
    """What the journal holds, a record whose line only lacks its end included."""
    records = run.records()
    if is_json(tail(run.journal_path)):
        records.append(Record.model_validate_json(tail(run.journal_path)))
    return records


def set_aside(run: moot.Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.path.glob("*.torn-*")}


# After a step there is on disk what there is before the next.
@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment != "after"])
def test_killed_at_every_step(tmp_path: Path, moment: str) -> None:
    reference = undisturbed(tmp_path / "reference")
    log, records = said(reference.entries()), len(reference.records())
    in_process("crash", tmp_path / "crashed", moment)
    cut_lines = 0
    steps = sorted((tmp_path / "crashed").iterdir())
    assert len(steps) > records + len(log)
    for step in steps:
        runs = moot.list_runs(str(step))
        if not runs:
            assert step.name == "001"  # killed before the frozen config was in its place
            continue
        run = runs[0]
        cut = {path.name: tail(path) for path in (run.log_path, run.journal_path)}
        expected = {f"{name}.torn-1": data for name, data in cut.items() if data and not is_json(data)}
        assert moot.verify(run).faults == [], step
        before = on_record(run)
        # The script holds nothing but what is not on record yet: asking again for anything else fails the run.
        model = ScriptedModel(not_yet_paid(harsh_script(2), before))
        result = take_up(run, model)
        assert (result.status, result.reason) == ("done", None), step
        assert result.spent.calls == calls_of(2) + 2
        assert len(run.records()) == records
        assert said(run.entries()) == log, step
        assert set_aside(run) == expected, step
        assert_sound(run)
        cut_lines += bool(expected)
    assert cut_lines == (records + len(log) if moment == "middle" else 0)


@pytest.mark.parametrize(("moment", "step"), [("after", 1), ("unended", 2), ("middle", 2), ("before", 3)])
def test_killed_in_every_life(tmp_path: Path, moment: str, step: int) -> None:
    """However often it is killed, a run that gets one step further each time comes to its end."""
    reference = undisturbed(tmp_path / "reference")
    in_process("lives", tmp_path / "crashed", moment, step)
    [run] = moot.list_runs(str(tmp_path / "crashed"))
    assert said(run.entries()) == said(reference.entries())
    assert len(run.records()) == len(reference.records())
    assert_sound(run)


@pytest.mark.parametrize("size", [2000, 4000, 8000])
def test_a_full_disk_leaves_whole_lines_and_a_run_that_goes_on(tmp_path: Path, size: int) -> None:
    in_process("fill", tmp_path / "full", size)
    [run] = moot.list_runs(str(tmp_path / "full"))
    assert tail(run.log_path) == tail(run.journal_path) == b""
    model = ScriptedModel(not_yet_paid(full_script(2), run.records()))
    assert take_up(run, model).status == "done"
    assert said(run.entries()) == said(staged(tmp_path / "reference").entries())
    assert set_aside(run) == {}
    assert_sound(run)


def test_two_processes_on_one_run(tmp_path: Path) -> None:
    with process("wait", tmp_path) as first:
        assert first.stdout is not None
        run = moot.find_run(first.stdout.readline().strip())
        try:
            assert run.busy
            with pytest.raises(moot.RunBusy, match=f"another process is running {run.path}; wait .* or stop it"):
                take_up(run, ScriptedModel({}))
            command = "import sys; from moot.cli import main; main(['resume', sys.argv[1]])"
            with process(run.path, code=command) as second:
                _, told = second.communicate()
            assert second.returncode == 1
            assert f"moot: another process is running {run.path}; wait" in told
        finally:
            (tmp_path / "go").touch()
        assert first.wait() == 0
    assert not moot.Run(run.path).busy
    assert take_up(run, ScriptedModel({})).status == "done"
    assert len(run.records()) == calls_of(2) + 1
    assert_sound(run)


def test_a_reader_sees_a_running_debate(tmp_path: Path) -> None:
    seen: list[int] = []

    def look() -> bool:
        [run] = moot.list_runs(str(tmp_path))
        seen.append(len(run.entries()))
        assert run.busy
        assert moot.verify(run).faults == []
        return True

    gates = dict.fromkeys(full_script(2), look)
    assert play(small_config(tmp_path), GatedModel(ScriptedModel(full_script(2)), gates)).status == "done"
    assert len(seen) == calls_of(2)
    assert seen == sorted(seen)


@pytest.mark.parametrize("lost", range(1, calls_of(2) + 2))
def test_what_a_machine_took_down_with_it_is_asked_for_again(tmp_path: Path, lost: int) -> None:
    """The disk may have the log's last entries already and not yet the replies they rest on."""
    run = undisturbed(tmp_path)
    run.result_path.unlink()  # it went down before there was one
    whole = run.entries()
    for target in (whole[-1].seq, None):
        moot.append_outside(run, phase="verdict", speaker="Reader", type="note", content=f"On {target}.", target=target)
    lose(run, lost)
    again = not_yet_paid(harsh_script(2), run.records())
    result = take_up(run, ScriptedModel({**again, "judge/announce": answer_for("Ada", "Yes, in other words.")}))
    assert result.status == "done", result.reason
    entries = run.entries()
    *told, last = [entry for entry in entries if not entry.outside]
    assert [entry.content for entry in told] == [entry.content for entry in whole[:-1]]
    assert last.content.startswith("Yes, in other words.")
    # One note has moved up; the other spoke of an entry that is gone.
    assert [entry.content for entry in entries if entry.outside] == ["On None."]
    [aside] = set_aside(run).values()
    assert [json.loads(line)["content"] for line in aside.splitlines()[-2:]] == [f"On {whole[-1].seq}.", "On None."]
    assert_sound(run)


def test_a_result_is_not_decided_anew_because_its_journal_was_cut(tmp_path: Path) -> None:
    run = undisturbed(tmp_path)
    before = {path.name: path.read_bytes() for path in run.path.iterdir()}
    lose(run, 3)
    with pytest.raises(moot.RunDamaged, match=r"no longer has judge.*, on which its result rests"):
        take_up(run, ScriptedModel(harsh_script(2)))
    assert {path.name: path.read_bytes() for path in run.path.iterdir() if path != run.journal_path} == {
        name: data for name, data in before.items() if name != run.journal_path.name
    }


def lose(run: moot.Run, count: int) -> None:
    """Let the disk never have had the journal's last records."""
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    run.journal_path.write_bytes(b"".join(lines[:-count]))


def test_an_edited_entry_is_not_taken_for_one_that_the_machine_took_with_it(tmp_path: Path) -> None:
    run = undisturbed(tmp_path)
    run.result_path.unlink()
    lose(run, 1)
    run.log_path.write_bytes(run.log_path.read_bytes().replace(b"Statement 1, by A", b"Statement 1, by X"))
    with pytest.raises(moot.RunDamaged, match="was altered, and nothing is asked"):
        take_up(run, ScriptedModel({"judge/announce": answer_for("Ada")}))
    assert set_aside(run) == {}
