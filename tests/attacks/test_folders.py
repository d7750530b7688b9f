"""A run folder that somebody sent: whatever is in it, nothing outside is written, read or waited for."""

import asyncio
import os
import resource
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import moot
from moot.cli.main import main
from moot.record.files import open_file, read_file, write_whole
from moot.record.journal import Journal, Record
from moot.record.lines import LineFile
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config, staged, take_up

FILES = ("config.yaml", "log.jsonl", "calls.jsonl", "result.json", "report.md", "report.html")
TREASURE = b"the owner's own words\n"


def use(run: moot.Run) -> list[str]:
    """All that reads or writes a run, each by itself; what each said of it."""
    told = []
    acts: list[Callable[[], object]] = [
        lambda: take_up(run, ScriptedModel(full_script(2))),
        lambda: moot.append_outside(run, phase="opening", speaker="Zoe", type="note", content="hello"),
        lambda: asyncio.run(moot.rebuild(run)),
        lambda: moot.verify(run),
        lambda: run.entries() + run.records(),
        run.result,
        lambda: asyncio.run(moot.export(run, "json")),
        lambda: run.busy,
    ]
    for act in acts:
        try:
            act()
        except moot.MootError as error:
            told.append(str(error))
        except OSError as error:
            told.append(f"{error.filename}: {error.strerror}")
    assert all("\n" not in one and "Traceback" not in one for one in told), told
    return told


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "socket", "folder"])
def test_nothing_but_plain_files_is_opened(
    tmp_path: Path, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "treasure").write_bytes(TREASURE)
    run = staged(tmp_path / "runs")
    (run.path / name).unlink()
    match kind:
        case "link":
            (run.path / name).symlink_to(outside / "treasure")
        case "dangling":
            (run.path / name).symlink_to(outside / "new")
        case "pipe":
            os.mkfifo(run.path / name)
        case "socket":
            monkeypatch.chdir(run.path)
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(name)
        case _:
            (run.path / name).mkdir()
    told = use(moot.Run(run.path))
    assert any(name in one for one in told), told
    assert [path.name for path in outside.iterdir()] == ["treasure"]
    assert (outside / "treasure").read_bytes() == TREASURE


@pytest.mark.parametrize("file", ["log.jsonl", "calls.jsonl"])
def test_a_torn_line_is_never_put_through_a_link(tmp_path: Path, file: str) -> None:
    target = tmp_path / "target"
    run = staged(tmp_path / "runs")
    with (run.path / file).open("ab") as opened:
        opened.write(b"ssh-rsa AAAA the attacker's key")
    (run.path / f"{file}.torn-1").symlink_to(target)
    use(moot.Run(run.path))
    assert not target.exists()
    with LineFile(run.path / file).locked():
        pass
    file_lines = LineFile(run.path / file)
    file_lines.new_lines()
    file_lines.close()
    assert not target.exists()
    assert (run.path / f"{file}.torn-2").read_bytes().startswith(b"ssh-rsa")


def test_no_temporary_name_can_be_guessed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    for process in range(os.getpid() - 5, os.getpid() + 50):
        (tmp_path / f".report.md.{process}").symlink_to(target)
    write_whole(tmp_path / "report.md", b"a report")
    assert (tmp_path / "report.md").read_bytes() == b"a report"
    assert not target.exists()


def test_a_report_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "treasure").write_bytes(TREASURE)
    (tmp_path / "report.md").symlink_to(tmp_path / "treasure")
    write_whole(tmp_path / "report.md", b"a report")
    assert (tmp_path / "treasure").read_bytes() == TREASURE
    assert (tmp_path / "report.md").read_bytes() == b"a report"


def test_a_file_with_a_second_name_is_read_and_not_appended_to(tmp_path: Path) -> None:
    run = staged(tmp_path / "runs")
    os.link(run.log_path, tmp_path / "backup")
    before = (tmp_path / "backup").read_bytes()
    assert moot.verify(run).faults == []
    with pytest.raises(moot.RunDamaged, match="hard link"):
        moot.append_outside(run, phase="opening", speaker="Zoe", type="note", content="hello")
    assert (tmp_path / "backup").read_bytes() == before


def test_a_file_that_claims_any_size_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "log.jsonl").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(moot.RunDamaged, match="larger than 1 GiB"):
        read_file(tmp_path / "log.jsonl")


def test_a_device_is_refused(tmp_path: Path) -> None:
    with pytest.raises(moot.RunDamaged, match="it is a device"):
        open_file(Path("/dev/zero"))


def test_a_link_that_no_command_opens_is_told_of_too(tmp_path: Path) -> None:
    run = staged(tmp_path)
    (run.path / "notes.txt").symlink_to("/etc/hostname")
    assert [fault for fault in moot.verify(run).faults if "notes.txt is a link" in fault]
    with pytest.raises(moot.RunDamaged, match=r"notes\.txt is a link"):
        take_up(run, ScriptedModel(full_script(2)))


DAMAGE = {"NULs": b"\0" * 300 + b"\n", "garbage": b"\xff\xfe{{{\n", "blank": b"\n", "several": b"\n\0\0\n{\n\n"}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("file", ["log.jsonl", "calls.jsonl"])
def test_damaged_last_lines_are_set_aside_and_told(
    tmp_path: Path, file: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    run = moot.find_run(play(small_config(tmp_path, 2, max_calls=6), ScriptedModel(full_script(2))).run)
    before = (run.path / file).read_bytes()
    (run.path / file).write_bytes(before + DAMAGE[kind])
    assert take_up(run, ScriptedModel(full_script(2)), max_calls=100).status == "done"
    assert (run.path / file).read_bytes().startswith(before)
    assert (run.path / f"{file}.torn-1").read_bytes() == DAMAGE[kind]
    assert f"{file} could not be read and was set aside in {file}.torn-1" in caplog.text
    found = moot.verify(run)
    assert (found.faults, found.notes) == ([], [f"what could not stay was set aside in {file}.torn-1"])


@pytest.mark.parametrize("what", ["deleted", "shortened"])
def test_a_journal_that_is_lost_is_noticed_at_the_next_call(tmp_path: Path, what: str) -> None:
    script, asked = full_script(2), []

    def answer(request: moot.Request) -> object:
        asked.append(request.key)
        [journal] = tmp_path.glob("*/calls.jsonl")
        if request.key == "A/think/1":
            journal.unlink() if what == "deleted" else os.truncate(journal, 10)
        return script[request.key]

    with pytest.raises(moot.RunDamaged, match=rf"calls\.jsonl was {what} while it was in use"):
        play(small_config(tmp_path, 2), ScriptedModel(answer))  # type: ignore[arg-type]
    assert asked[-1] == "A/think/1"


def test_no_reply_is_asked_for_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, disk = ScriptedModel(full_script(2)), os.statvfs(tmp_path)
    full = os.statvfs_result([*disk[:4], 10, *disk[5:]])  # ten blocks are free
    monkeypatch.setattr(os, "fstatvfs", lambda file: full)
    with pytest.raises(OSError, match="disk is full"):
        play(small_config(tmp_path, 2), model)
    assert model.requests == []


def test_after_a_failed_write_nothing_more_is_asked(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "calls.jsonl")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        asyncio.run(journal.certain(0))
        with pytest.raises(OSError, match="File too large"):
            journal.note(Record(key="k", reply="x" * 2000, started="2026-01-01T00:00:00Z"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    # Though there is room again: nobody knows what else was lost.
    with pytest.raises(OSError, match="File too large"):
        asyncio.run(journal.certain(0))
    assert (tmp_path / "calls.jsonl").read_bytes() == b""


@pytest.mark.parametrize("settings", ["plugins: [evil.py]", "model: command/evil\ncommands: {evil: {run: ./evil.py}}"])
@pytest.mark.parametrize("act", ["verify", "show", "runs report", "resume", "list"])
def test_nothing_that_lies_in_a_run_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, act: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even by whoever works in its folder, and whatever protocol it says it has."""
    run = staged(tmp_path / "runs")
    evil = run.path / "evil.py"
    evil.write_text("#!/bin/sh\n''':'; touch ../../treasure; exit\n'''\nopen('../../treasure', 'w')\n")
    evil.chmod(0o755)
    (run.path / "moot.yaml").write_text(f"{settings}\n")
    config = run.path / "config.yaml"
    config.write_text(config.read_text().replace("protocol: duel", "protocol: evil"))
    monkeypatch.chdir(run.path)
    with pytest.raises(SystemExit) as ended:
        main([*act.split(), *(["."] if act != "list" else ["--out", ".."])])
    assert (ended.value.code, "may come from others" in capsys.readouterr().err) == (
        (0, False) if act == "list" else (2, True)
    )
    assert not (tmp_path / "treasure").exists()
