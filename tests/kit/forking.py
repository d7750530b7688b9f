"""Programs where some packages are not installed, each forked from a process that has loaded what needs none of them.

Unlike the programs of `tests.kit.warm`, they load whatever else they need themselves, or fail to.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kit.command import Said

SERVER = """
import importlib, json, os, pkgutil, sys, traceback

def load(without):
    for name in without:
        sys.modules[name] = None
    import moot, moot.cli.main
    for one in pkgutil.walk_packages(moot.__path__, "moot.", onerror=lambda name: None):
        if not one.name.endswith(("__main__", "inspect_solver")):
            try:
                importlib.import_module(one.name)
            except (ImportError, moot.MootError):
                pass
    for name in without:
        del sys.modules[name]

def become(wanted):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in ((1, wanted["out"]), (2, wanted["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    sys.stdin, sys.stdout = open(0), open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    for name in wanted["without"]:
        sys.modules[name] = None
    sys.argv = ["moot", *wanted["args"]]
    sys.path.insert(0, "")
    code = 0
    try:
        exec(wanted["code"], {"__name__": "__main__"})
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    os._exit(code)

load(json.loads(sys.stdin.readline()))
while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        become(json.loads(line))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
MAIN = "from moot.cli import main; main()"


class Forks:
    """Programs of one interpreter."""

    def __init__(self, process: "subprocess.Popen[str]", place: Path) -> None:
        self._process = process
        self._place = place

    def run(
        self, *args: str, code: str = MAIN, without: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> Said:
        """What that code comes to in the working folder, where these packages are not installed."""
        out, err = self._place / "out", self._place / "err"
        out.write_bytes(b"")
        err.write_bytes(b"")
        variables = dict(os.environ if environment is None else environment)
        wanted = {"args": args, "code": code, "without": list(without), "environment": variables}
        told = self._ask(wanted | {"out": str(out), "err": str(err), "folder": str(Path.cwd())})
        return Said(int(told), out.read_text("utf-8"), err.read_text("utf-8"))

    def _ask(self, wanted: Any) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


@contextmanager
def forks(
    python: str | Path, without: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Iterator[Forks]:
    """Programs of this interpreter, after loading all of moot that needs none of these packages."""
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryDirectory(prefix="moot-forks-") as place,
        subprocess.Popen([python, "-c", SERVER], stdin=pipe, stdout=pipe, text=True, cwd=place, env=environment) as one,
    ):
        assert one.stdin is not None
        one.stdin.write(json.dumps(list(without)) + "\n")
        yield Forks(one, Path(place))
        one.stdin.close()
