"""Processes that end with this one, however it ends."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_with_us(process: int) -> Iterator[None]:
    """While inside, the end of this process, even by SIGKILL, ends that process, which leads a session, and its
    children."""
    # Whoever reads from our end of a pipe is told when we are gone.
    command = ["/bin/sh", "-c", f"read -r _; kill -KILL -{process}"]
    with subprocess.Popen(  # noqa: S603 (a number is all that is put in)
        command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as watching:
        try:
            yield
        finally:
            watching.kill()
