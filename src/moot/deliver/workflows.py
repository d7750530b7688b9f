"""Workflows: the user's commands and webhooks that get the result after the debate, once per run.

A command is a list of words and never goes through a shell; it gets the result document on standard input. A webhook
gets it signed: `Moot-Signature: t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of `SECONDS.BODY` under the secret.
"""

import asyncio
import hashlib
import hmac
import json
import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from moot.deliver import delivered_document, must_be_done
from moot.deliver.outbox import Errand, Report, Sent, run_errands
from moot.deliver.posting import is_web, post, shown, target_of
from moot.engine.outcome.result import Result
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.system import kill_group

SECRET = "MOOT_WORKFLOW_SECRET"  # noqa: S105 (a name, not a secret)
NOT_HANDED_ON = (SECRET, "MOOT_ORIGIN")
SECONDS = 300.0


async def run_workflows(run: Run, result: Result, workflows: Sequence[str], *, again: bool = False) -> list[Report]:
    """Give the result of a finished run to each workflow that has not run for it yet; with `again` to all of them."""
    must_be_done(run, result)
    errands = [_errand(run, result, one) for one in dict.fromkeys(workflows)]
    return await run_errands(run, errands, again=again)


def check_workflows(workflows: Sequence[str]) -> None:
    """ConfigError if one of these is certain to fail."""
    for workflow in workflows:
        if is_web(workflow):
            target_of(workflow)
            _secret()
        elif shutil.which(_words(workflow)[0]) is None:
            raise ConfigError(f"there is no command {_words(workflow)[0]!r} for a workflow")


def signature(secret: str, body: bytes, seconds: int) -> str:
    """The value of the signature header, which proves the sender and the time of a body."""
    digest = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def _errand(run: Run, result: Result, workflow: str) -> Errand:
    if is_web(workflow):
        target, secret = target_of(workflow), _secret()

        async def send(key: str) -> Sent:
            body = delivered_document(result, key)
            headers = {"Idempotency-Key": key, "Moot-Signature": signature(secret, body, int(time.time()))}
            return await post(target, body, headers)

        return Errand("workflow", shown(target), workflow, send)
    words = _words(workflow)
    # The arguments of the program can contain a secret.
    return Errand("workflow", Path(words[0]).name, json.dumps(words), partial(_execute, run, result, words))


def _secret() -> str:
    secret = os.environ.get(SECRET, "")
    if not secret:
        raise ConfigError(f"a workflow's webhook is signed, and needs a secret in {SECRET}")
    return secret


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"a --workflow cannot be read as words: {error}") from error
    if not words:
        raise ConfigError("a --workflow is empty: give a command or a web address")
    if "=" in words[0]:
        # Not quoted: such a variable is often a secret.
        raise ConfigError("a --workflow begins with a variable, which only a shell sets: sh -c '…'")
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
        document.write(delivered_document(result, key))
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
