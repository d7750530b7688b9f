"""The hook for pre-commit: `python -m moot.pipelines.staged COMMAND… -- [FILE…]` runs a command of moot, with
`--require` in it, on each staged file, or on the staged diff if no file is named."""

import os
import subprocess
import sys
from collections.abc import Sequence

from moot.evidence.diffs import without_binary
from moot.evidence.git import AS_IT_IS

USAGE = "moot: the hook is called with a command of moot, then --, then the files: panel --require accept -- FILE…"
SEPARATOR = "--"
DIFF = ("git", "diff", "--cached", *AS_IT_IS)


def main(args: Sequence[str]) -> int:
    """The first exit code that is not 0; what is left is not debated then, because the commit is refused already."""
    if SEPARATOR not in args or args[0] == SEPARATOR:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    place = list(args).index(SEPARATOR)
    command, files = args[:place], args[place + 1 :]
    if files:
        # As a path, so that no name of a file is taken for a text or for standard input.
        return next((code for code in (_moot(command, os.path.join(".", file)) for file in files) if code), 0)  # noqa: PTH118 (a Path drops the dot)
    shown = subprocess.run(DIFF, capture_output=True, check=False)  # noqa: S603 (the user's git)
    if shown.returncode:
        sys.stderr.buffer.write(shown.stderr)
        return shown.returncode
    # A file in another encoding must not make the whole commit impossible; letters beyond ASCII are marked in it.
    text = without_binary(shown.stdout.decode("utf-8", "replace")).encode()
    return _moot(command, "-", text) if text.strip() else 0


def _moot(command: Sequence[str], subject: str, text: bytes | None = None) -> int:
    # With -P, no file of the repository takes the place of a module of Python.
    words = [sys.executable, "-P", "-m", "moot", *command, SEPARATOR, subject]
    # Without a text it must not wait for one from the terminal.
    return subprocess.run(words, input=text or b"", check=False).returncode  # noqa: S603 (the command is the user's)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
