"""A site of chosen debates: whole without a server, and the same every time."""

import asyncio
import base64
import hashlib
import re
from pathlib import Path

import pytest

import moot
from moot.publish.folder import publish
from moot.record.files import CHECKSUMS, checksums
from tests.kit.batches import TOPICS, answering, made, ran, write_grid
from tests.kit.command import moot as command
from tests.kit.duels import staged
from tests.kit.servers import ready_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    """A finished run of each protocol."""
    return ready_runs(tmp_path_factory.mktemp("published") / "runs")


@pytest.fixture(scope="module")
def site(runs: dict[str, moot.Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "site"
    published(list(runs.values()), folder, title="Talks & more", address="https://example.org/talks")
    return folder


def published(runs: list[moot.Run], folder: Path, title: str = "Debates", address: str = "") -> list[str]:
    return asyncio.run(publish(runs, folder, title=title, address=address))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_site_has_an_index_and_a_page_for_each(site: Path, runs: dict[str, moot.Run]) -> None:
    files = contents(site)
    names = [run.name for run in runs.values()]
    assert files.keys() == {"index.html", "SHA256SUMS", *(f"{name}.html" for name in names)}
    index = files["index.html"].decode()
    assert sorted(re.findall(r'<h2 dir="auto"><a href="([^"]+)\.html">', index)) == sorted(names)
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest


def test_no_page_asks_for_anything(site: Path) -> None:
    for name, data in contents(site).items():
        if not name.endswith(".html"):
            continue
        text = data.decode()
        assert "default-src 'none'" in text
        targets = re.findall(r'<(?:a|img|script|link|form)[^>]* (?:href|src|action)="([^"]+)"', text)
        assert all(
            re.fullmatch(r"#.*|[\w%~.-]+\.html(#.*)?|data:,|https://example\.org/talks/.*", one) for one in targets
        )
        assert not re.search(r"<script[^>]+src|<img|<iframe|@import|url\((?!#)", text), name
        # What is inline is allowed by its hash, and by nothing else.
        for script in re.findall(r"<script>(.*?)</script>", text, re.DOTALL):
            digest = hashlib.sha256(script.encode()).digest()
            assert f"'sha256-{base64.b64encode(digest).decode()}'" in text


def test_a_site_is_replaced_and_nothing_else(runs: dict[str, moot.Run], tmp_path: Path) -> None:
    one, other, *_ = runs.values()
    folder = tmp_path / "site"
    published([one, other], folder)
    published([other], folder)
    assert not (folder / f"{one.name}.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(moot.ConfigError, match=r"did not write there: mine\.txt"):
        published([one], folder)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years")
    with pytest.raises(moot.ConfigError, match="not empty, and no site"):
        published([one], tmp_path / "home")
    own = tmp_path / "own"
    own.mkdir()
    files = {"index.html": b"<h1>Mine</h1>", "thesis.txt": b"years"}
    for name, data in {**files, CHECKSUMS: checksums(files)}.items():
        (own / name).write_bytes(data)
    with pytest.raises(moot.ConfigError, match="not empty, and no site"):
        published([one], own)
    assert (own / "thesis.txt").exists(), "checksums of one's own make no site of moot"
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "file").write_text("")
    for wrong in ("link", "file"):
        with pytest.raises(moot.ConfigError, match="is not a folder"):
            published([one], tmp_path / wrong)
    assert (tmp_path / "home" / "thesis.txt").read_text() == "years"
    assert (folder / "mine.txt").exists()


def test_a_page_that_was_changed_is_not_replaced(runs: dict[str, moot.Run], tmp_path: Path) -> None:
    run = runs["duel"]
    published([run], tmp_path)
    page = tmp_path / f"{run.name}.html"
    page.write_text(page.read_text("utf-8") + "<p>My own words</p>", "utf-8")
    with pytest.raises(moot.ConfigError, match=f"changed since moot wrote it: {run.name}"):
        published([run], tmp_path)
    assert "My own words" in page.read_text("utf-8")


@pytest.mark.parametrize("address", ["example.org", "javascript:alert(1)", "https://", "https://a.example/?x=1"])
def test_an_address_is_one(runs: dict[str, moot.Run], tmp_path: Path, address: str) -> None:
    with pytest.raises(moot.ConfigError, match="address of a site"):
        published([runs["duel"]], tmp_path / "site", address=address)


def test_what_runs_is_not_published(tmp_path: Path) -> None:
    run = staged(tmp_path / "runs")
    with run.hold(), pytest.raises(moot.RunBusy):
        published([run], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    run = staged(out)
    batch = made(write_grid(tmp_path, grid=TOPICS), out / "drinks")
    ran(batch, answering())
    ended = command("runs", "bundle", str(tmp_path / "site"), run.name, "drinks", "--out", str(out))
    assert ended.code == 0, ended.err
    assert ended.out.endswith("index.html: 7 debates\n")
    assert command("runs", "bundle", str(out), run.name, "--out", str(out)).code == 2
    assert command("runs", "bundle", str(tmp_path / "site"), "nothing", "--out", str(out)).code == 2
