"""Reading the pages of strangers in processes that can be killed.

A page made to be slow, or to take all memory, costs its own reader and nothing else. A reader is a Python of its own,
without the keys of this one's environment, that writes no file; it is started by the first page that needs it and used
again for the next, since starting one takes half a second. It is sent a line of JSON and the body, and answers with a
line of JSON.
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

MOST_MEMORY = 1 << 30
"""Bytes that a reader may have, its libraries and all."""
START_SECONDS = 60.0
_LONGEST_ANSWER = 16 * LONGEST_TEXT
_NEEDED = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")
"""Variables of the environment that a reader is given."""


@dataclass(slots=True)
class Readers:
    """As many readers as there are threads that read at once."""

    memory: int = MOST_MEMORY
    _idle: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    _all: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _closed: bool = False

    def read(self, body: bytes, content_type: str, charset: str | None, seconds: float) -> Text | Problem:
        """Title and text of a body, within so many seconds. Plain text is read here: that takes no time to speak of."""
        if kind_of(body, content_type) in ("text", "other"):
            return readable(body, content_type, charset)
        try:
            process = self._reader()
        except (OSError, ValueError):
            return Problem("unreadable", "no process could be started to read it")
        about = {"type": content_type, "charset": charset, "seconds": seconds, "length": len(body)}
        answer, late = _asked(process, json.dumps(about).encode() + b"\n" + body, seconds)
        found = _understood(answer)
        if found is None:
            _end(process)
            return (
                Problem("slow", "the page takes too long to read")
                if late
                else Problem("unreadable", "reading it ended the reader: it takes too much memory, or is broken")
            )
        with self._lock:
            self._idle.append(process)
        return found

    def close(self) -> None:
        """End all readers, whatever they are at; who waits for one is told that there is no text."""
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
            start_new_session=True,  # an interrupt from the terminal is for this process alone
        )
        with self._lock:
            self._all.append(process)
        answer, _ = _asked(process, b"", START_SECONDS)
        if answer is None:
            _end(process)
            raise OSError("the reader did not start")
        return process


def _asked(process: "subprocess.Popen[bytes]", question: bytes, seconds: float) -> tuple[bytes | None, bool]:
    """The line that comes back, None where none does; and whether the reader was killed since it took too long."""
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


def _understood(answer: bytes | None) -> Text | Problem | None:
    if answer is None:
        return None
    found = json.loads(answer)
    return Problem(**found) if "kind" in found else Text(**found)


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
    """What runs in a reader."""
    import pypdf  # noqa: F401 (loaded before any page is waited for)
    import trafilatura  # noqa: F401

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what libraries print is no answer
    confine(memory)
    answers.write(b"ready\n")
    answers.flush()
    while line := sys.stdin.buffer.readline():
        about: dict[str, Any] = json.loads(line)
        body = sys.stdin.buffer.read(about["length"])
        allow_seconds(about["seconds"])  # though nobody may be left to kill it
        found = readable(body, about["type"], about["charset"], seconds=about["seconds"])
        answers.write(json.dumps(asdict(found)).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
