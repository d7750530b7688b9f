"""`python`: short programs of models, run by bubblewrap in a sandbox without files, network and further processes.

The program sees the interpreter and its standard library, read-only, and nothing else of this machine. Time, memory and
output are bounded. Without bubblewrap there is no such tool.
"""

import asyncio
import os
import platform
import shutil
import struct
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moot.evidence.tools import Offered, Offering, text_argument
from moot.system import kill_group, limiting_lines

PROGRAM = "bwrap"
SECONDS = 10
SECONDS_TO_END = 2.0
MOST_MEMORY = 256 << 20
MOST_OUTPUT = 100_000
LONGEST_CODE = 20_000
MISSING = f"it needs a sandbox, and here is none: install bubblewrap ({PROGRAM}), on Linux"
_CODE = {
    "type": "object",
    "properties": {"code": {"type": "string", "description": "The program. Print what you want to see."}},
    "required": ["code"],
}
_START = f"""{limiting_lines(MOST_MEMORY, SECONDS)}
import sys
exec(compile(sys.stdin.read(), "<program>", "exec"), {{"__name__": "__main__"}})
"""
"""Runs inside the sandbox: sets limits, which cannot be raised again, and then the program."""
_ARCHITECTURES = {
    "x86_64": (0xC000003E, (29, 41, 56, 57, 58, 64, 68, 101, 165, 250, 272, 298, 308, 319, 321, 323, 425, 435)),
    "aarch64": (0xC00000B7, (40, 97, 117, 186, 190, 194, 198, 219, 220, 241, 268, 279, 280, 282, 425, 435)),
}
"""The mark of each architecture, and the numbers of the system calls that a program is denied: clone, clone3, fork and
vfork; socket; memory that no limit counts: memfd_create, msgget, semget, shmget; and those into less used parts of the
kernel: bpf, io_uring_setup, keyctl, mount, perf_event_open, ptrace, setns, unshare, userfaultfd."""
_HOME = "/python"
"""The path of the interpreter in the sandbox, which reveals no path of this machine."""
_LOAD, _EQUALS, _ABOVE, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL, _DENY = 0x7FFF0000, 0x80000000, 0x00050001
_OTHER_NUMBERS = 0x40000000
"""System calls of x86-64 have a second set of numbers from here on."""


def is_at_hand() -> bool:
    return sys.platform == "linux" and platform.machine() in _ARCHITECTURES and shutil.which(PROGRAM) is not None


@dataclass(frozen=True, slots=True)
class Sandbox:
    seconds = 2.0 * SECONDS  # it ends a program that takes too long itself, and says so

    async def offered(self) -> Offering:
        if not is_at_hand():
            raise LookupError(MISSING)
        if (found := await self._run("print(6 * 7)")) != "42":
            raise LookupError(f"{PROGRAM} cannot make a sandbox here: {found}")
        about = (
            f"Run a short Python program: standard library only, no network, no files, {SECONDS} seconds, "
            f"{MOST_MEMORY >> 20} MB. It gives what the program prints."
        )
        return Offering([Offered("python", about, _CODE)])

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:  # noqa: ARG002 (one of several)
        code = text_argument(arguments, "code")
        if len(code) > LONGEST_CODE:
            raise LookupError(f"a program may have {LONGEST_CODE:,} characters")
        return await self._run(code)

    async def _run(self, code: str) -> str:
        with _rules() as rules:
            process = await asyncio.create_subprocess_exec(
                *_command(rules),
                stdin=PIPE,
                stdout=PIPE,
                stderr=STDOUT,
                env={},
                pass_fds=(rules,),
                start_new_session=True,
            )
            try:
                async with asyncio.timeout(SECONDS + 2):
                    output = await _talk(process, code)
                    ended = await process.wait() if len(output) < MOST_OUTPUT else 0
            except TimeoutError:
                raise LookupError(f"the program took more than {SECONDS} seconds") from None
            finally:
                kill_group(process.pid)
                with suppress(TimeoutError):  # a process counts as ended when its output was read
                    await asyncio.wait_for(process.communicate(), SECONDS_TO_END)
        text = output.decode("utf-8", "replace").strip()
        if len(output) >= MOST_OUTPUT:
            return f"{text}\n(The program was ended here: it printed more than {MOST_OUTPUT:,} bytes.)"
        if ended != 0:
            return f"{text}\n(The program failed with exit code {ended}.)".strip()
        return text or "(The program printed nothing.)"


async def _talk(process: Process, code: str) -> bytes:
    """Send the program, and return what it prints, as far as there is room for it."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101 (both are pipes)
    with suppress(OSError):  # it may have ended already
        process.stdin.write(code.encode(errors="replace"))
        await process.stdin.drain()
    process.stdin.close()
    output = b""
    while len(output) < MOST_OUTPUT and (piece := await process.stdout.read(MOST_OUTPUT - len(output))):
        output += piece
    return output


def _command(rules: int) -> list[str]:
    """bubblewrap, with the interpreter and its libraries and nothing else to be seen."""
    python, base = os.path.realpath(sys.executable), Path(sys.base_prefix).resolve()
    system = {folder: folder for folder in ("/usr/lib", "/usr/lib64", "/lib", "/lib64")}
    own = {str(base / folder): f"{_HOME}/{folder}" for folder in ("lib", "lib64")}
    folders = [*system.items(), *own.items(), (python, f"{_HOME}/bin/python")]
    shown = [word for there, here in folders if Path(there).exists() for word in ("--ro-bind", there, here)]
    return [
        *(PROGRAM, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--seccomp", str(rules)),
        *(*shown, "--remount-ro", "/", "--chdir", "/"),
        *("--setenv", "PYTHONHOME", _HOME, "--setenv", "LD_LIBRARY_PATH", f"{_HOME}/lib"),
        *("--", f"{_HOME}/bin/python", "-S", "-s", "-B", "-X", "utf8", "-c", _START),
    ]


@contextmanager
def _rules() -> Iterator[int]:
    """A file with the rules by which the kernel denies system calls: no further process or thread, no connection."""
    mark, denied = _ARCHITECTURES[platform.machine()]
    steps = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_EQUALS, 1, 0, mark),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_ABOVE, len(denied) + 1, 0, _OTHER_NUMBERS),
        *((_EQUALS, len(denied) - place, 0, number) for place, number in enumerate(denied)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _DENY),
    ]
    descriptor = os.memfd_create("rules")
    try:
        os.write(descriptor, b"".join(struct.pack("=HBBI", *step) for step in steps))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
