"""Reads untrusted pages in processes that can be killed.

A page made to be slow, or to use all memory, only affects its own reader. A reader is a separate Python process,
without the keys in this process's environment, that writes no file. It is started for the first page that needs it and
reused, since starting one takes half a second. It receives a line of JSON and the body, and answers with a line of
JSON.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from threading import Lock, Timer
from typing import IO, Any

from moot.evidence.pages import LONGEST_TEXT, Problem, Text, kind_of, readable
from moot.system import allow_seconds, confine
from moot.text.json import parse_json

MOST_MEMORY = 1 << 30
"""The memory of a reader in bytes, including its libraries."""
START_SECONDS = 60.0
_LONGEST_ANSWER = 16 * LONGEST_TEXT
_NEEDED = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")
"""Environment variables passed to a reader."""


@dataclass(slots=True)
class Readers:
    """One reader for each concurrent thread."""

    memory: int = MOST_MEMORY
    _idle: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    _all: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _closed: bool = False

    def read(self, body: bytes, content_type: str, charset: str | None, seconds: float) -> Text | Problem:
        """Title and text of a body, within a time limit. Plain text is read in this process, since that is fast."""
        if kind_of(body, content_type) in ("text", "other"):
            return readable(body, content_type, charset)
        try:
            process = self._reader()
        except (OSError, ValueError):
            return Problem("unreadable", "no process could be started to read it")
        about = {"type": content_type, "charset": charset, "seconds": seconds, "length": len(body)}
        answer, late = _asked(process, json.dumps(about).encode() + b"\n" + body, seconds)
        if answer is None:
            _end(process)
            if late:
                return Problem("slow", "the page takes too long to read")
            return Problem("unreadable", "reading it ended the reader: it takes too much memory, or is broken")
        found = parse_json(answer)
        with self._lock:
            self._idle.append(process)
        return Problem(**found) if "kind" in found else Text(**found)

    def close(self) -> None:
        """Kill all readers, even busy ones; a waiting caller is told that there is no text."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.kill()
            readers, self._idle = self._idle, []
        for process in readers:
            _end(process)

    def _reader(self) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._closed:
                raise ValueError("the readers were ended")
            if self._idle:
                return self._idle.pop()
        process = subprocess.Popen(  # noqa: S603 (this very Python, and a number)
            [sys.executable, "-P", "-m", __name__, str(self.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _NEEDED if name in os.environ},
            start_new_session=True,  # an interrupt from the terminal is for the parent process only
        )
        with self._lock:
            self._all.append(process)
        answer, _ = _asked(process, b"", START_SECONDS)
        if answer is None:
            _end(process)
            raise OSError("the reader did not start")
        return process


def _asked(process: "subprocess.Popen[bytes]", question: bytes, seconds: float) -> tuple[bytes | None, bool]:
    """The line of the answer, or None; and whether the reader was killed because it took too long."""
    late: list[bool] = []

    def kill() -> None:
        late.append(True)
        process.kill()

    timer = Timer(seconds, kill)
    timer.daemon = True
    timer.start()
    try:
        with suppress(OSError):
            _stream(process.stdin).write(question)
            _stream(process.stdin).flush()
        answer = _stream(process.stdout).readline(_LONGEST_ANSWER)
    finally:
        timer.cancel()
    return (answer if answer.endswith(b"\n") and not late else None), bool(late)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            _stream(stream).close()
    process.wait()


def _stream(stream: "IO[bytes] | None") -> "IO[bytes]":
    if stream is None:
        raise OSError("the reader has no such stream")
    return stream


def main(memory: int) -> None:
    """The main loop of a reader process."""
    import pypdf  # noqa: F401 (loaded before any page is waited for)
    import trafilatura  # noqa: F401

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # output of libraries must not be taken for an answer
    confine(memory)
    answers.write(b"ready\n")
    answers.flush()
    while line := sys.stdin.buffer.readline():
        about: dict[str, Any] = parse_json(line)
        body = sys.stdin.buffer.read(about["length"])
        allow_seconds(about["seconds"])  # even if the parent is gone and cannot kill it
        found = readable(body, about["type"], about["charset"], seconds=about["seconds"])
        answers.write(json.dumps(asdict(found)).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
