"""Delivering: a result goes to where the debate came from, once, even across a crash.

A place is a file, a webhook, or a chat or mailbox through apprise. Webhooks and files named `*.json` get the result
document, the others a short text; all of them the delivery's id.
"""

import asyncio
import json
import logging
import os
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from moot.errors import ConfigError
from moot.outbox import Errand, Report, Sent, run_errands
from moot.posting import post, shown, target_of
from moot.receipts import as_text
from moot.result import Result
from moot.runs import Run

TERMINAL = "-"
CHAT_SECONDS = 60
WEB = ("http://", "https://")


async def deliver(run: Run, result: Result, origins: Sequence[str], *, again: bool = False) -> list[Report]:
    """Send the result of a finished run to each place that has not had it; with `again` to those too.

    A place is `file:PATH` or a path, `http(s)://…`, or an address of apprise. ConfigError when one is none of these.
    """
    must_be_done(run, result)
    return await run_errands(run, [_errand(run, result, one) for one in _places(origins)], again=again)


def check_origins(origins: Sequence[str]) -> None:
    """ConfigError when something cannot be delivered to one of these, as far as that can be told beforehand."""
    for origin in _places(origins):
        if origin.startswith(WEB):
            target_of(origin)
        elif (path := _path(origin)) is not None:
            if path.is_dir() or not path.parent.is_dir():
                raise ConfigError(f"{path} cannot be written: its folder is not there, or it is a folder itself")
        else:
            _messenger(origin)


def must_be_done(run: Run, result: Result) -> None:
    if result.status != "done":
        raise ConfigError(f"{run.name} is not finished, so there is nothing to deliver yet: moot resume it first")


def delivered_document(result: Result, key: str) -> bytes:
    """The result document, with the id that this delivery has."""
    return (json.dumps({"delivery": key, **result.document()}, ensure_ascii=False, indent=2) + "\n").encode()


def _places(origins: Sequence[str]) -> list[str]:
    """Each once; the terminal has had it already."""
    return [one for one in dict.fromkeys(origins) if one != TERMINAL]


def _errand(run: Run, result: Result, origin: str) -> Errand:
    if origin.startswith(WEB):
        target = target_of(origin)

        async def send(key: str) -> Sent:
            return await post(target, delivered_document(result, key), {"Idempotency-Key": key})

        return Errand("delivery", shown(target), origin, send)
    path = _path(origin)
    if path is not None:
        where = f"file:{path.resolve()}"
        return Errand("delivery", path.name, where, partial(_write, run, result, path), partial(_is_in, path))
    scheme = origin.partition("://")[0]
    return Errand("delivery", f"{scheme}://…", origin, partial(_notify, run, result, _messenger(origin)))


def _path(origin: str) -> Path | None:
    """The file that is meant, if it is one."""
    if origin.startswith("file:"):
        return Path(origin.removeprefix("file:").removeprefix("//")).expanduser()
    return None if "://" in origin else Path(origin).expanduser()


async def _write(run: Run, result: Result, path: Path, key: str) -> Sent:
    """Write the file whole or not at all."""
    text = as_text(run, result, key).encode()
    data = delivered_document(result, key) if path.suffix == ".json" else text
    # By the same name at every attempt, so that one that was cut off leaves nothing behind.
    temporary = path.with_name(f".{path.name}.{key[:8]}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        return Sent("missed", error.strerror)
    return Sent("done")


def _is_in(path: Path, key: str) -> bool:
    try:
        return key.encode() in path.read_bytes()
    except OSError:
        return False


async def _notify(run: Run, result: Result, messenger: "partial[bool]", key: str) -> Sent:
    text = as_text(run, result, key)
    title, _, body = text.partition("\n")
    if await asyncio.to_thread(messenger, title, body.strip()):
        return Sent("done")
    # apprise does not tell a refused connection from an answer that never came.
    return Sent("unknown", "the service did not confirm it")


def _messenger(origin: str) -> "partial[bool]":
    """What sends a title and a text to that address; ConfigError when there is nothing that can."""
    try:
        import apprise
    except ImportError as error:
        raise ConfigError("chat and mail need apprise; install it with: pip install 'moot[notify]'") from error
    # It would print addresses, passwords among them.
    logging.getLogger("apprise").addHandler(logging.NullHandler())
    service = apprise.Apprise(asset=apprise.AppriseAsset(service_timeout=CHAT_SECONDS))
    with warnings.catch_warnings():
        # It loads all its plugins here, and what they import is not ours to mend.
        warnings.simplefilter("ignore", DeprecationWarning)
        known = service.add(origin)
    if not known or len(service) != 1:
        raise ConfigError("an --origin is no path, no web address, and no single address that apprise knows")
    return partial(_said, service)


def _said(service: object, title: str, body: str) -> bool:
    import apprise

    assert isinstance(service, apprise.Apprise)  # noqa: S101 (imported where it is made)
    return bool(service.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT))
