"""The command line to type next, as hints in messages."""

import shlex
import shutil
import sys
from pathlib import Path

from moot.engine.define.plugin_option import plugin_option


def command(*words: str) -> str:
    """The command line for this command, with the name that the program was called by."""
    return f"{called()} {shlex.join(words)}"


def resuming(protocol: str | None, run: str, *options: str) -> str:
    """The command line that resumes a run of that protocol, if it is known."""
    return command(*plugin_option(*([protocol] if protocol else [])), "resume", run, *options)


def called() -> str:
    """`moot` if it is on the path; otherwise the command that starts the same program from here."""
    start, known = Path(sys.argv[0]), shutil.which("moot")
    if start.parts[-2:] == ("moot", "__main__.py"):
        return "moot" if known else "python -m moot"
    if start.name != "moot" or (known and Path(known).resolve() == start.resolve()):
        return "moot"
    # The script at the root of a checkout starts the program in the environment next to it.
    script = start.absolute().parent.parent.parent / "moot"
    found = script if start.parts[-3:-1] == (".venv", "bin") and script.is_file() else start.absolute()
    here = Path.cwd()
    return shlex.quote(f"./{found.relative_to(here)}" if found.is_relative_to(here) else str(found))
