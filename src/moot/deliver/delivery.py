"""Deliveries: the result of a debate is sent once to each place that asked for it, even across a crash.

A place is a file, a webhook or a command. Webhooks, `*.json` files and commands get the result document, other files a
short text; all get the id of the delivery.
"""

import asyncio
import hashlib
import hmac
import json
import os
import re
import shlex
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from moot.deliver.outbox import Job, Report, Sent, run_jobs
from moot.deliver.posting import is_web, post, shown, target_of
from moot.engine.outcome.result import Result
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.system import kill_group, sync_folder
from moot.system.home import expanded
from moot.text import printable
from moot.text.figures import dollars

COMMAND = "exec:"
"""The beginning of a place that is a command."""
SECRET = "MOOT_WEBHOOK_SECRET"  # noqa: S105 (a name, not a secret)
NOT_HANDED_ON = (SECRET, "MOOT_DELIVER")
SECONDS = 300.0
"""How long a command may take."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


async def deliver(run: Run, result: Result, places: Sequence[str], *, again: bool = False) -> list[Report]:
    """Send the result of a finished run to each place that does not have it yet; with `again` to all of them.

    A place is a path, `file:PATH`, `http(s)://…`, or `exec:COMMAND`, which never goes through a shell.
    """
    if result.status != "done":
        raise ConfigError(f"{run.name} is not finished. Finish it with moot resume first.")
    return await run_jobs(run, [_job(run, result, place) for place in dict.fromkeys(places)], again=again)


def check_places(places: Sequence[str]) -> None:
    """ConfigError if delivery to one of these is certain to fail."""
    for place in places:
        if place.startswith(COMMAND):
            if shutil.which(program := _words(place)[0]) is None:
                raise ConfigError(f"Unknown command “{program}” in --deliver.")
        elif is_web(place):
            target_of(place)
        else:
            _check_path(_path(place))


def signature(secret: str, body: bytes, seconds: int) -> str:
    """The value of the header `Moot-Signature`, which proves the sender and the time of a body: HMAC-SHA256 of
    `SECONDS.BODY` under the secret."""
    digest = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def _document(result: Result, key: str) -> bytes:
    """The result document with the id of this delivery."""
    return (json.dumps({"delivery": key, **result.document()}, ensure_ascii=False, indent=2) + "\n").encode()


def as_text(run: Run, result: Result, key: str) -> str:
    """A result in a few lines for people, starting with the question."""
    summary = result.summary
    lines = [str(result.document().get("topic") or run.name), "", f"{summary.kind}: {summary.headline}"]
    lines += [f"{words}: {text}" for words, text in summary.brief.lines]
    lines += [text for text in (summary.reached, summary.change) if text]
    lines += [f"{'Flag' if flag.severity == 'warning' else 'Note'}: {flag.text}" for flag in summary.flags]
    lines += ["", f"Run {run.name}, {result.spent.calls} calls, cost {dollars(result.spent.cost)}"]
    lines += [f"Log {result.receipt.log_sha256}", f"Delivery {key}"]
    return printable("\n".join(lines)) + "\n"


def _job(run: Run, result: Result, place: str) -> Job:
    if place.startswith(COMMAND):
        words = _words(place)
        # The arguments of the program can contain a secret.
        return Job(Path(words[0]).name, json.dumps(words), partial(_execute, run, result, words))
    if is_web(place):
        target = target_of(place)

        async def send(key: str) -> Sent:
            body, headers = _document(result, key), {"Idempotency-Key": key}
            if secret := os.environ.get(SECRET):
                headers["Moot-Signature"] = signature(secret, body, int(time.time()))
            return await post(target, body, headers)

        return Job(shown(target), place, send)
    path = _path(place)

    async def write(key: str) -> Sent:
        return await asyncio.to_thread(_write, run, result, path, key)

    return Job(path.name, f"file:{path}", write, repeated=True)


def _path(place: str) -> Path:
    """The file that the place names, with links resolved."""
    if not place.startswith("file:") and ("://" in place or _SCHEME.match(place)):
        raise ConfigError("--deliver needs a path, file:PATH, http://…, https://… or exec:COMMAND.")
    return expanded(Path(place.removeprefix("file:").removeprefix("//"))).resolve()


def _check_path(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} cannot be written: it is not a file.")
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(f"{path} cannot be written: its folder is missing, or you cannot write there.")


def _write(run: Run, result: Result, path: Path, key: str) -> Sent:
    """Write the file completely or leave it unchanged; never replace a device or a folder."""
    if path.exists() and not path.is_file():
        return Sent("missed", "it is not a file")
    data = _document(result, key) if path.suffix == ".json" else as_text(run, result, key).encode()
    # The same name at every attempt, so that an interrupted one leaves no file behind.
    temporary = path.with_name(f".{path.name}.{key[:8]}")
    try:
        temporary.unlink(missing_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return Sent("missed", error.strerror)
    return Sent("done")


def _words(place: str) -> list[str]:
    """The words of a command."""
    try:
        words = shlex.split(place.removeprefix(COMMAND))
    except ValueError as error:
        raise ConfigError(f"The command of --deliver cannot be read as words: {error}.") from error
    if not words:
        raise ConfigError("--deliver exec: needs a command.")
    if "=" in words[0]:
        # Not quoted: such a variable is often a secret.
        raise ConfigError("The command of --deliver begins with a variable, which only a shell can set: sh -c '…'")
    return words


async def _execute(run: Run, result: Result, words: Sequence[str], key: str) -> Sent:
    environment = {
        **{name: value for name, value in os.environ.items() if name not in NOT_HANDED_ON},
        "MOOT_RUN": str(run.folder.resolve()) if run.folder else run.address,
        "MOOT_PROTOCOL": result.protocol,
        "MOOT_DELIVERY": key,
    }
    # A file instead of a pipe, because a command does not have to read its input.
    with tempfile.TemporaryFile() as document:
        document.write(_document(result, key))
        document.seek(0)
        try:
            # Its output goes to standard error, so that standard output holds only the result.
            process = await asyncio.create_subprocess_exec(
                *words, stdin=document, stdout=2, stderr=2, env=environment, start_new_session=True
            )
        except OSError as error:
            return Sent("missed", f"it cannot be started: {error.strerror}")
        return await _wait_for(process)


async def _wait_for(process: asyncio.subprocess.Process) -> Sent:
    try:
        async with asyncio.timeout(SECONDS):
            code = await process.wait()
    except TimeoutError:
        return Sent("failed", f"it did not end within {SECONDS:g} seconds and was stopped")
    finally:
        if process.returncode is None:
            kill_group(process.pid)
            await process.wait()
    if code == 0:
        return Sent("done")
    return Sent("failed", f"exit code {code}" if code > 0 else f"stopped by signal {-code}")
