"""Programs that start at once: each is forked from a process that has imported moot already.

`programs()` has a `moot` and a `python` to start in the place of the real ones. Such a program hands its arguments,
folder, environment and standard streams to the warm process, which forks. It passes signals on, SIGUSR1 as SIGKILL,
and ends as the child ends; the child does not outlive it. Not handed on are other files, limits and what `PYTHON…`
variables say.

    python -m tests.kit.warm SOCKET    the warm process; it has one thread, and ends when its standard input does
"""

import atexit
import contextlib
import gc
import marshal
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import moot
from tests.kit.duels import staged

ROOT = Path(__file__).parents[2]
LAZY = ("aiohttp", "genai_prices.data", "markdown_it", "psycopg", "rich.live", "rich.progress", "uvicorn")
"""What moot imports only when it is needed, beside its own modules."""
LEFT_OUT = ("moot.__main__", "moot.inspect_solver", "moot.mcp.server")
"""Modules that are programs, or import a great deal that is seldom needed and changes how things are logged."""
LAUNCHER = """#!{python} -IS
import _signal as signal, _socket as socket, marshal, os, sys

def pass_on(number, frame):
    line.send(bytes([signal.SIGKILL if number == signal.SIGUSR1 else number]))

signals = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1]
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
for number in signals:
    signal.signal(number, pass_on)
line = socket.socket(socket.AF_UNIX)
line.connect({address!r})
wanted = marshal.dumps((sys.argv, os.getcwd(), dict(os.environ)))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
line.sendmsg([len(wanted).to_bytes(4, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
line.sendall(wanted)
signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
status = int.from_bytes(line.recv(4), "big")
if os.WIFSIGNALED(status):
    if os.WTERMSIG(status) != signal.SIGKILL:
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.WEXITSTATUS(status))
"""


def python() -> str:
    return str(programs() / "python")


@cache
def programs() -> Path:
    """The folder that has them, for a PATH."""
    folder = Path(tempfile.mkdtemp(prefix="moot-warm-"))
    address = str(folder / "socket")
    for name in ("moot", "python"):
        (folder / name).write_text(LAUNCHER.format(python=sys.executable, address=address), "utf-8")
        (folder / name).chmod(0o755)
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(address)
        line.listen(64)
        command = [sys.executable, "-W", "ignore", "-m", "tests.kit.warm", str(line.fileno())]
        # One thread: a second one, of numpy's, would not live on in a child.
        # The settings of the test that happens to be first are not those of the others.
        around = {key: value for key, value in os.environ.items() if not key.startswith("MOOT_")}
        around["OPENBLAS_NUM_THREADS"] = "1"
        warm = subprocess.Popen(command, cwd=ROOT, env=around, pass_fds=[line.fileno()], stdin=subprocess.PIPE)
    atexit.register(shutil.rmtree, folder)
    atexit.register(warm.communicate)
    return folder


class Started(subprocess.Popen[Any]):
    """One of the programs, which has ended when it was killed and waited for."""

    def send_signal(self, sig: int) -> None:
        super().send_signal(signal.SIGUSR1 if sig == signal.SIGKILL else sig)


def preload() -> None:
    """Import all of moot, and stage a debate, for what is made with the first one. No thread is left, which a child
    would lack."""
    own = (module.name for module in pkgutil.walk_packages(moot.__path__, "moot."))
    for name in (*LAZY, *own):
        if name not in LEFT_OUT:
            import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        staged(folder)
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join()
    assert threading.active_count() == 1
    gc.freeze()


def serve(listening: socket.socket) -> None:
    """Fork a child for each program that is asked for, and tell whoever asked how it ended."""
    preload()
    waking, woken = socket.socketpair()
    woken.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken.fileno())
    lines: dict[int, socket.socket] = {}
    while sys.stdin not in (ready := select.select([sys.stdin, listening, waking, *lines.values()], [], [])[0]):
        if waking in ready:
            waking.recv(4096)
        if listening in ready:
            line, _ = listening.accept()
            if child := start(line):
                lines[child] = line
        for child, line in list(lines.items()):
            if line in ready:
                [number] = line.recv(1) or [signal.SIGKILL]  # nobody waits for the child any more
                os.kill(child, number)
            if (ended := os.waitpid(child, os.WNOHANG))[0]:
                with contextlib.suppress(OSError):
                    line.sendall(ended[1].to_bytes(4, "big"))
                lines.pop(child).close()
    for child in lines:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def start(line: socket.socket) -> int | None:
    """Fork the program that is asked for on the line; None when whoever asked was gone before it was said."""
    size, streams, _, _ = socket.recv_fds(line, 4, 3)
    length = int.from_bytes(size, "big")
    wanted = line.recv(length, socket.MSG_WAITALL)
    if len(wanted) < max(1, length):
        line.close()
        return None
    child = os.fork()
    if child == 0:
        become(streams, *marshal.loads(wanted))
    for stream in streams:
        os.close(stream)
    return child


def become(streams: list[int], arguments: list[str], folder: str, environment: dict[str, str]) -> NoReturn:
    """Be that program, and end as an interpreter does, but for taking all modules apart: that would copy the memory
    shared with the parent."""
    signal.set_wakeup_fd(-1)
    # Whoever runs the tests in the background may have them, and so their children, ignore some.
    for ignored in (signal.SIGCHLD, signal.SIGHUP, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.argv = arguments
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    code = 0
    try:
        run()
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        code = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code & 0xFF)


def run() -> None:
    """What the command line says; of Python's own options there are these two."""
    if Path(sys.argv[0]).name == "moot":
        import_module("moot.cli").main()
        return
    if sys.argv[1] == "-P":  # nothing of the current folder is imported here anyway
        del sys.argv[1]
    option, what = sys.argv[1:3]
    del sys.argv[0:2]
    if option == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
        return
    assert option == "-c"
    sys.argv[0] = "-c"
    sys.path.insert(0, "")
    module = sys.modules["__main__"] = ModuleType("__main__")
    exec(compile(what, "<string>", "exec"), vars(module))


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
