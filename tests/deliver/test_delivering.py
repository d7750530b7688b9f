"""A result gets to where it should, once; what nobody can know is told and not guessed."""

import asyncio
import json
import logging
import os
import shlex
import shutil
import socket
import sys
from pathlib import Path

import pytest

import moot
from moot.database.connection import close_databases
from moot.deliver.delivery import SECRET, check_places, deliver, signature
from moot.deliver.outbox import FILE, Report
from moot.deliver.posting import post, target_of
from tests.kit.arenas import arena
from tests.kit.webhooks import receiver

HERE = "127.0.0.1"


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result, _ = arena(tmp_path_factory.mktemp("arena"), revision_rounds=1, reports=True)
    return Path(result.run)


@pytest.fixture
def run(staged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> moot.Run:
    """A finished arena that nothing was delivered of yet."""
    monkeypatch.chdir(tmp_path)
    return moot.Run(shutil.copytree(staged, tmp_path / "run"))


def send(run: moot.Run, *places: str, again: bool = False) -> list[Report]:
    async def sent() -> list[Report]:
        return await deliver(run, await moot.result_of(run), places, again=again)

    return asyncio.run(sent())


def run_command(run: moot.Run, command: str, *, again: bool = False) -> list[Report]:
    return send(run, f"exec:{command}", again=again)


def cut_off(run: moot.Run) -> None:
    """Leave the outbox as a crash would have, after the last intent and before its outcome."""
    path = run.path / FILE
    lines = path.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[-2])["state"] == "intent"
    path.write_bytes(b"".join(lines[:-1]))


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def test_a_file_that_was_cut_off_is_written_again(run: moot.Run) -> None:
    send(run, "result.json")
    cut_off(run)
    Path("result.json").unlink()
    (found,) = send(run, "result.json")
    assert (found.state, found.before) == ("done", False)
    assert Path("result.json").exists()


def test_a_webhook_that_was_cut_off_is_not_sent_again_by_itself(run: moot.Run) -> None:
    with receiver() as hook:
        send(run, hook.url)
        cut_off(run)
        (doubt,) = send(run, hook.url)
        assert (doubt.state, len(hook.got)) == ("unknown", 1)
        assert "It is unclear whether http://127.0.0.1 got the result" in doubt.words()
        assert f"moot runs deliver {run.path} … --again" in doubt.words()
        hook.status = None
        (doubt,) = send(run, hook.url, again=True)
        assert "the connection broke before an answer" in doubt.words()
        assert send(run, hook.url)[0].state == "unknown"
        assert len(hook.got) == 2
        hook.status = 204
        assert send(run, hook.url, again=True)[0].state == "done"


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_certainly_did_not_arrive_is_tried_again(run: moot.Run, status: int) -> None:
    with receiver(status) as hook:
        (missed,) = send(run, hook.url)
        assert f"it answered {status}. To try again: moot runs deliver" in missed.words()
        hook.status = 200
        assert send(run, hook.url)[0].state == "done"
        assert len(hook.got) == 2


@pytest.mark.parametrize("status", [502, 504])
def test_a_gateway_does_not_know_what_got_through_it(run: moot.Run, status: int) -> None:
    with receiver(status) as hook:
        assert (
            f"It is unclear whether http://{HERE} got the result: it answered {status}"
            in send(run, hook.url)[0].words()
        )
        assert send(run, hook.url)[0].before is True
        assert len(hook.got) == 1


def test_a_file_is_on_disk_by_its_name_before_it_is_said_to_be(run: moot.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    Path("below").mkdir()
    assert send(run, "below/result.json")[0].state == "done"
    assert Path("below").stat().st_ino in synced


def test_links_are_followed_and_devices_are_left_alone(run: moot.Run) -> None:
    Path("below").mkdir()
    Path("link.json").symlink_to("below/result.json")
    send(run, "link.json")
    assert Path("link.json").is_symlink()
    assert Path("below/result.json").is_file()
    os.mkfifo("pipe")
    assert "it is not a file" in send(run, "pipe")[0].words()
    assert Path("pipe").is_fifo()
    with pytest.raises(moot.ConfigError, match="it is not a file"):
        check_places(["pipe"])


def test_a_refused_connection_and_a_name_that_leads_inside(run: moot.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:  # nobody else can have its port, and nobody listens there
        closed.bind((HERE, 0))
        port = closed.getsockname()[1]
        assert "no connection" in send(run, f"http://{HERE}:{port}/")[0].words()
        assert "no connection" in send(run, f"http://localhost:{port}/")[0].words()

    def inside(*_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 80))]

    monkeypatch.setattr(socket, "getaddrinfo", inside)
    target = target_of("http://hooks.example.com/")
    assert "10.0.0.7 is a private address" in str(asyncio.run(post(target, b"{}", {})).reason)


def test_no_secret_is_kept_or_told(run: moot.Run, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(moot.ConfigError):
        check_places(["nonsense://s3cret"])
    with receiver(404) as hook:
        told = send(run, f"{hook.url}/s3cret")
        told += run_command(run, python("'s3cret'"))
    assert all("s3cret" not in one.words() for one in told)
    assert "s3cret" not in caplog.text
    for path in run.path.iterdir():
        assert b"s3cret" not in path.read_bytes(), path
    assert [json.loads(line).get("to") for line in (run.path / FILE).read_bytes().splitlines()] == [
        None,
        *["http://127.0.0.1"] * 2,
        *[Path(sys.executable).name] * 2,
    ]


def test_a_command_that_fails_is_told_and_does_not_run_again(run: moot.Run) -> None:
    failing = python("import sys; print('x', file=open('ran.txt', 'a')); sys.exit(3)")
    assert "failed: exit code 3. To run it again: moot runs deliver" in run_command(run, failing)[0].words()
    assert run_command(run, failing)[0].state == "failed"
    assert Path("ran.txt").read_text("utf-8") == "x\n"
    assert "stopped by signal 9" in run_command(run, python("import os; os.kill(os.getpid(), 9)"))[0].words()
    (missing,) = run_command(run, "no-such-command --x")
    assert "did not get the result: it cannot be started" in missing.words()
    run_command(run, "echo x; touch broken")
    assert not Path("broken").exists(), "there is no shell"


def test_a_webhook_is_signed_and_commands_see_no_secret(run: moot.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "between us")
    monkeypatch.setenv("MOOT_DELIVER", "https://between/us")
    with receiver() as hook:
        assert send(run, hook.url)[0].state == "done"
        headers, body = hook.got[0]
    stamp = int(headers["Moot-Signature"].partition(",")[0].removeprefix("t="))
    assert headers["Moot-Signature"] == signature("between us", body, stamp)
    assert headers["Moot-Signature"] != signature("between us", body, stamp + 1)
    told = "print(any('between' in value for value in os.environ.values()), file=open('seen.txt', 'w'))"
    run_command(run, python(f"import os; {told}"))
    assert Path("seen.txt").read_text("utf-8") == "False\n"


def test_what_cannot_work_is_refused_beforehand(run: moot.Run) -> None:
    for place, words in {
        "nowhere/result.json": "cannot be written",
        "file:.": "cannot be written",
        "https://user:pw@example.com/": "user name",
        "nonsense://x": "needs a path",
        "mailto:pw@example.com": "needs a path",
        "exec:": "needs a command",
        "exec:'": "read as words",
        "exec:no-such-command": "Unknown command",
        "exec:KEY=pw sh": "variable",
    }.items():
        with pytest.raises(moot.ConfigError, match=words) as refused:
            check_places([place])
        assert "pw" not in str(refused.value)
    (run.path / "result.json").unlink()
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    log = run.log_path.read_bytes().splitlines(keepends=True)
    run.journal_path.write_bytes(b"".join(lines[:6]))
    run.log_path.write_bytes(b"".join(log[:3]))
    with pytest.raises(moot.ConfigError, match="not finished"):
        send(run, "x.json")


def test_a_damaged_outbox_is_not_guessed_at(run: moot.Run) -> None:
    send(run, "result.json")
    with (run.path / FILE).open("ab") as file:
        file.write(b'{"unknown": 1}\n')
    with pytest.raises(moot.RunDamaged, match="nobody can tell what left"):
        send(run, "result.json")


def test_a_line_that_was_cut_off_is_set_aside(run: moot.Run) -> None:
    send(run, "result.json")
    whole = (run.path / FILE).read_bytes()
    (run.path / FILE).write_bytes(whole[:-20])
    assert send(run, "result.json")[0].state == "done"
    assert json.loads((run.path / FILE).read_bytes().splitlines()[-1])["state"] == "done"


def test_a_run_in_postgresql_has_its_outbox_there(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with receiver() as hook:
        result, _ = arena(tmp_path, revision_rounds=1, reports=True, out=database)
        run = moot.find_run(result.run.rpartition("#")[2], database)
        assert [one.state for one in send(run, "result.json", hook.url)] == ["done", "done"]
        assert [one.before for one in send(run, "result.json", hook.url)] == [True, True]
        assert len(hook.got) == 1
        assert len(run.place.read_lines(FILE)) == 5
        assert moot.verify(run).faults == []
        close_databases()
