"""Programs that end with this process, however it ends."""

import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

WATCHED = '{ read -r _ <"/dev/fd/$0"; kill -KILL -$$; } </dev/null >/dev/null 2>&1 & exec "$@"'
"""Whoever reads from our end of a pipe is told when we are gone. The one who reads is there before the program is."""


@contextmanager
def ended_with_us(command: Sequence[str], env: Mapping[str, str]) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The command as it has to be started inside this block, and how: with the end of the block or of this process,
    even by SIGKILL, it ends with all that it started in its session. OSError if there is no such program."""
    if os.sep not in command[0] and shutil.which(command[0], path=env.get("PATH")) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    theirs, ours = os.pipe()
    try:
        how = {"env": env, "pass_fds": (theirs,), "start_new_session": True}
        yield ["/bin/sh", "-c", WATCHED, str(theirs), *command], how
    finally:
        os.close(theirs)
        os.close(ours)
