"""Deliveries: a result is sent to the places that asked for it, once, even across a crash.

A place is a file, a webhook, or a chat or mailbox through apprise. Webhooks and `*.json` files get the result document,
the others a short text; all get the id of the delivery.
"""

import asyncio
import json
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from moot.deliver.outbox import Errand, Report, Sent, run_errands
from moot.deliver.posting import is_web, post, shown, target_of
from moot.engine.outcome.result import Result
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.plugins.extras import require
from moot.report.receipts import as_text
from moot.system import sync_folder
from moot.system.home import expanded

TERMINAL = "-"
CHAT_SECONDS = 60
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


async def deliver(run: Run, result: Result, origins: Sequence[str], *, again: bool = False) -> list[Report]:
    """Send the result of a finished run to each place that does not have it yet; with `again` to all of them.

    A place is `file:PATH` or a path, `http(s)://…`, or an apprise address. Anything else is a ConfigError.
    """
    must_be_done(run, result)
    return await run_errands(run, [_errand(run, result, one) for one in _places(origins)], again=again)


def check_origins(origins: Sequence[str]) -> None:
    """ConfigError if delivery to one of these is certain to fail."""
    for origin in _places(origins):
        if is_web(origin):
            target_of(origin)
        elif (path := _path(origin)) is not None:
            _check_path(path)
        else:
            _messenger(origin)


def must_be_done(run: Run, result: Result) -> None:
    if result.status != "done":
        raise ConfigError(f"{run.name} is not finished, so there is nothing to deliver yet: moot resume it first")


def delivered_document(result: Result, key: str) -> bytes:
    """The result document with the id of this delivery."""
    return (json.dumps({"delivery": key, **result.document()}, ensure_ascii=False, indent=2) + "\n").encode()


def _places(origins: Sequence[str]) -> list[str]:
    """The places without duplicates and without the terminal, which already shows the result."""
    return [one for one in dict.fromkeys(origins) if one != TERMINAL]


def _errand(run: Run, result: Result, origin: str) -> Errand:
    if is_web(origin):
        target = target_of(origin)

        async def send(key: str) -> Sent:
            return await post(target, delivered_document(result, key), {"Idempotency-Key": key})

        return Errand("delivery", shown(target), origin, send)
    path = _path(origin)
    if path is not None:

        async def write(key: str) -> Sent:
            return await asyncio.to_thread(_write, run, result, path, key)

        return Errand("delivery", path.name, f"file:{path}", write, partial(_is_in, path))
    scheme = origin.partition("://")[0]
    return Errand("delivery", f"{scheme}://…", origin, partial(_notify, run, result, _messenger(origin)))


def _path(origin: str) -> Path | None:
    """The file that the origin names, with links resolved; None if it is not a file."""
    if not origin.startswith("file:"):
        if "://" in origin:
            return None
        if _SCHEME.match(origin):
            raise ConfigError("an --origin has a colon like an address, and no // after it; a file is file:PATH")
    path = Path(origin.removeprefix("file:").removeprefix("//") if origin.startswith("file:") else origin)
    return expanded(path).resolve()


def _check_path(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} cannot be written: it is no file")
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(f"{path} cannot be written: its folder is not there, or not yours to write in")


def _write(run: Run, result: Result, path: Path, key: str) -> Sent:
    """Write the file completely or leave it unchanged; never replace a device or a folder."""
    if path.exists() and not path.is_file():
        return Sent("missed", "it is no file")
    text = as_text(run, result, key).encode()
    data = delivered_document(result, key) if path.suffix == ".json" else text
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
    # apprise does not distinguish a refused connection from a missing answer.
    return Sent("unknown", "the service did not confirm it")


def _messenger(origin: str) -> "partial[bool]":
    """What sends a title and a text to that address; ConfigError when there is nothing that can."""
    require("notify")
    import apprise

    service = apprise.Apprise(asset=apprise.AppriseAsset(service_timeout=CHAT_SECONDS))
    with _silence_apprise(), warnings.catch_warnings():
        # This loads all plugins of apprise. Warnings from their imports are not ours to fix.
        warnings.simplefilter("ignore", DeprecationWarning)
        known = service.add(origin)
    if not known or len(service) != 1:
        raise ConfigError("an --origin is no path, no web address, and no single address that apprise knows")
    return partial(_send, service)


def _send(service: object, title: str, body: str) -> bool:
    import apprise

    assert isinstance(service, apprise.Apprise)  # noqa: S101 (imported where it is made)
    with _silence_apprise():
        return bool(service.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT))


@contextmanager
def _silence_apprise() -> Iterator[None]:
    """Stop apprise from logging, because it would log addresses and their passwords."""
    from apprise.logger import logger

    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
