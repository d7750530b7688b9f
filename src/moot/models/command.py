"""`command/NAME`: a program of this machine that takes the prompt on standard input and answers on standard output.

Commands are declared in the user's or the project's own moot.yaml, and nowhere else. They get an empty folder and an
environment without secrets; the declaration names everything else that they get.
"""

import asyncio
import codecs
import hashlib
import os
import shutil
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from moot.errors import (
    ConfigError,
    EmptyReply,
    ModelError,
    NotAReply,
    NotReady,
    RateLimited,
    Rejected,
    ServerFault,
    TimedOut,
    Unauthorised,
)
from moot.models.base import LONGEST_TOKEN, ModelReply, OnText, Request, Usage
from moot.models.calling import about_to_send
from moot.models.declared import Declared, declared_commands
from moot.models.pacing import Pace
from moot.models.pool import open_pool
from moot.models.prices import Prices, cost_of
from moot.models.speech import Speech
from moot.models.usage import dollars, doubt, token_count
from moot.system import kill_group
from moot.system.ending import ended_with_us
from moot.text import one_line, valid_text
from moot.text.json import parse_json

PASSED_ON = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "USER"),
    *("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"),
)
"""The variables that every command gets, if they are set. None of them holds a secret."""
LARGEST_OUTPUT = 16 * 1024 * 1024
MOST_LINES = 100_000
"""The lines of JSON output that are read. Programs write one for each event, at most one for each word."""
LARGEST_COMPLAINT = 4096
"""Bytes at the end of standard error that are kept for a message."""
LONGEST_QUOTE = 300
SHORTEST_SECRET = 4
SECONDS_TO_END = 5.0
EXIT_CODES: Mapping[int, type[ModelError]] = {
    64: Rejected,  # the codes of sysexits.h, where a program keeps to them
    65: Rejected,
    75: RateLimited,
    77: Unauthorised,
    78: NotReady,
    126: NotReady,
    127: NotReady,
}
"""The meanings of exit codes. Any other code is a temporary fault: most programs exit with 1 after any error."""


def open_command(rest: str, timeout: float, prices: Prices, rate: int | None) -> "CommandModel":
    """The model of a declared command; ConfigError if there is none of that name."""
    known = declared_commands()
    if rest not in known:
        there = f"there are {', '.join(sorted(known))}" if known else "none is declared"
        raise ConfigError(f"there is no command {rest!r} under `commands:` in a moot.yaml of yours; {there}")
    return CommandModel(rest, known[rest], timeout, prices, rate)


@dataclass(slots=True)
class _Lane:
    """What all calls to one command share in an event loop."""

    limit: asyncio.Semaphore
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, slots=True)
class CommandModel:
    """`timeout` is for commands that declare none."""

    rest: str
    declared: Declared
    timeout: float
    prices: Prices = field(default_factory=dict)
    rate: int | None = None
    small: bool = False

    takes_no: ClassVar[tuple[str, ...]] = ("temperature", "top_p", "seed", "effort")

    @property
    def name(self) -> str:
        return f"command/{self.rest}"

    @property
    def context_window(self) -> int | None:
        return self.declared.context

    async def ready(self) -> None:
        self._environment()
        if shutil.which(self.declared.words[0]) is None:
            raise NotReady(f"{self.name}: there is no program {self.declared.words[0]!r} that can be run here.")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        plain, found = self.declared.fields is None, Usage()
        speech = Speech(on_text if plain else None)
        async with self._turn():
            heard = speech.add if plain else None
            output = await self._run(prompt_of(request), heard, LONGEST_TOKEN * request.max_tokens)
        if not plain:
            text, found = await asyncio.to_thread(self._read, output)
            speech.add(text)
        text = speech.end()
        if not text.strip():
            raise EmptyReply(f"{self.name} answered without any text.").paid(found)
        why = doubt(found, request, text)
        return ModelReply(valid_text(text.strip()), usage=self._priced(found if why is None else Usage()), doubt=why)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for a turn: programs need a lot of memory and time, so only a few of a command run at once."""
        shared = open_pool()
        lane = shared.lanes.setdefault(self.name, _Lane(asyncio.Semaphore(self.declared.at_once))) if shared else None
        async with lane.limit if lane else nullcontext():
            if lane is not None:
                await lane.pace.turn(self.rate)
            await about_to_send()
            yield

    async def _run(self, prompt: str, on_text: Callable[[str], None] | None, longest: int) -> bytes:
        """Standard output of one run. Where it is the reply, it is passed on as it comes, and a command that writes
        more than `longest` characters is ended there."""
        seconds = self.declared.timeout or self.timeout
        with ExitStack() as during:
            folder = during.enter_context(tempfile.TemporaryDirectory(prefix="moot-", ignore_cleanup_errors=True))
            try:
                words, how = during.enter_context(ended_with_us(self.declared.words, self._environment()))
                process = await asyncio.create_subprocess_exec(
                    *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=folder, **how
                )
            except OSError as error:
                raise NotReady(f"{self.name} cannot be started: {error.strerror}.") from error
            try:
                async with asyncio.timeout(seconds):
                    _, (output, whole), complaint = await asyncio.gather(
                        _feed(process, prompt), _output(process, on_text, longest), _complaint(process)
                    )
                    code = await process.wait()
            except TimeoutError:
                await _end(process)
                raise TimedOut(f"{self.name} gave no answer within {seconds:g} s, and was ended.") from None
            except BaseException:  # whatever ends the call, such as a cancellation, ends the program too
                await _end(process)
                raise
        if not whole and on_text is None:
            raise NotAReply(f"{self.name} wrote more than {LARGEST_OUTPUT >> 20} MiB: that is no reply.")
        if whole and code != 0:
            raise self._failure(code, complaint or output[-LARGEST_COMPLAINT:])
        return output

    def _failure(self, code: int, complaint: bytes) -> ModelError:
        said = self._quote(complaint.decode("utf-8", "replace"))
        kind = EXIT_CODES.get(code, ServerFault)
        how = f"was ended by signal {-code}" if code < 0 else f"failed with exit code {code}"
        # Nobody knows how far it came, but a program that knows why it cannot start has asked no model.
        return kind(f"{self.name} {how}{f': {said}' if said else ''}.").costing(kind is ServerFault)

    def _read(self, output: bytes) -> tuple[str, Usage]:
        """The text and the usage in JSON output, which is one document or one in each line."""
        documents, wanted = _documents(output), self.declared.fields
        assert wanted is not None  # noqa: S101 (else nothing is read)
        if not documents:
            start = self._quote(output[-LARGEST_COMPLAINT:].decode("utf-8", "replace"))
            raise NotAReply(f"{self.name} was to write JSON, and wrote: {start or 'nothing'}.")
        text, failed = _last(documents, wanted.text), _last(documents, wanted.error) if wanted.error else None
        if failed:
            said = self._quote(str(text or failed))
            raise ServerFault(f"{self.name} reports a fault: {said}.").costing(True)
        if not isinstance(text, str):
            raise NotAReply(f"{self.name} wrote JSON without a text at `{wanted.text}`.")
        found = {name: _total(documents, getattr(wanted, name)) for name in ("input", "cached", "output", "thinking")}
        cost = dollars(_last(documents, wanted.cost)) if wanted.cost else None
        return text, Usage(**found, cost=cost)

    def _priced(self, usage: Usage) -> Usage:
        own = usage.cost is not None and self.name not in self.prices
        return usage if own else replace(usage, cost=cost_of(self.name, usage, self.prices))

    def _environment(self) -> dict[str, str]:
        missing = [name for name in self.declared.env if name not in os.environ]
        if missing:
            raise NotReady(f"{self.name} is to get {', '.join(missing)}, which is not set.")
        return {name: value for name, value in os.environ.items() if name in PASSED_ON or name in self.declared.env}

    def _quote(self, text: str) -> str:
        """The last line of a command's standard error, shortened and without the secrets that the command got. The text
        that was kept can begin in the middle of a secret, so an incomplete first line is left out."""
        for name in self.declared.env:
            secret = os.environ.get(name, "").strip()
            text = text.replace(secret, f"[{name}]") if len(secret) >= SHORTEST_SECRET else text
        told = one_line(text).rstrip(". ")
        return told if len(told) <= LONGEST_QUOTE else f"…{told[-LONGEST_QUOTE:]}"


def prompt_of(request: Request) -> str:
    """A conversation as one text. If it has earlier turns, they are separated by a mark that no turn can contain."""
    messages = request.messages_in_words
    if not any(message.role == "assistant" for message in messages):
        return "\n\n".join(message.content for message in messages) + "\n"
    mark = hashlib.sha256("\0".join(message.content for message in messages).encode(errors="replace")).hexdigest()[:8]
    headings = {"user": f"=== {mark}: you were asked ===", "assistant": f"=== {mark}: you answered ==="}
    parts = [f"Lines with the mark {mark} part the turns of a conversation in which you take part."]
    *earlier, last = messages
    for message in earlier:
        parts += [headings[message.role]] if message.role in headings else []
        parts.append(message.content)
    parts += [f"=== {mark}: you are asked now; write nothing but your answer ===", last.content]
    return "\n\n".join(parts) + "\n"


async def _feed(process: Process, prompt: str) -> None:
    assert process.stdin is not None  # noqa: S101 (it is a pipe)
    # A command may answer, or fail, without reading all of it.
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(prompt.encode(errors="replace"))
        await process.stdin.drain()
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.close()


async def _output(process: Process, on_text: Callable[[str], None] | None, longest: int) -> tuple[bytes, bool]:
    """The standard output, and whether it is complete; if it is too long, the command is ended."""
    assert process.stdout is not None  # noqa: S101 (it is a pipe)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces, size, letters = list[bytes](), 0, 0
    while piece := await process.stdout.read(1 << 16):
        size += len(piece)
        pieces.append(piece)
        if on_text is not None and (text := decoder.decode(piece)):
            on_text(text)
            letters += len(text)
        if size > LARGEST_OUTPUT or letters > longest:
            await _end(process)
            return b"".join(pieces), False
    if on_text is not None and (text := decoder.decode(b"", final=True)):
        on_text(text)
    return b"".join(pieces), True


async def _complaint(process: Process) -> bytes:
    """The end of standard error."""
    assert process.stderr is not None  # noqa: S101 (it is a pipe)
    kept = b""
    while piece := await process.stderr.read(1 << 16):
        kept = (kept + piece)[-LARGEST_COMPLAINT:]
    return kept


async def _end(process: Process) -> None:
    """End the command and all processes that it has started."""
    with suppress(PermissionError):
        kill_group(process.pid)
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_END):
            await process.wait()
    transport = getattr(process, "_transport", None)
    if transport is not None:  # asyncio leaves the pipes of a process that was killed open until they are collected
        transport.close()


def _documents(output: bytes) -> list[Any]:
    """The JSON documents of an output: a single one, or one per line."""
    for lines in ([output], output.split(b"\n", MOST_LINES)):
        found = []
        for line in lines:
            with suppress(ValueError):
                found.append(parse_json(line, halves=True))
        if any(isinstance(one, dict) for one in found):
            return found
    return []


def _last(documents: list[Any], path: str) -> Any:
    """The value at a path such as `usage.input_tokens`, in the last document that has one; None if none has."""
    for document in reversed(documents):
        value = document
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def _total(documents: list[Any], paths: list[str]) -> int | None:
    """The sum of the token counts at these paths; None if none of them exists."""
    counts = [token_count(_last(documents, path)) for path in paths]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
