"""Passages of folders and commits of histories, from repositories that nobody need trust."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.errors import ConfigError
from moot.evidence import chunks, commits, passages

CONFIG = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@a.example",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@a.example",
}


def git(folder: Path, *arguments: str, day: int = 1) -> None:
    date = f"2024-01-{day:02}T12:00:00+00:00"
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["git", *arguments], cwd=folder, env=os.environ | CONFIG | dates, check=True, capture_output=True)


def sign(folder: Path) -> None:
    """Give the last commit a signature that a program would be asked about."""
    raw = subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=folder, capture_output=True, check=True).stdout
    head, _, message = raw.partition(b"\n\n")
    mark = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----\n\n"
    write = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
    made = subprocess.run(write, cwd=folder, input=head + mark + message, capture_output=True, check=True).stdout
    (folder / ".git" / "HEAD").write_bytes(made)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text("build/\n*.log\n")
    (folder / "src" / "cache.py").write_text("def expireCache(seconds):\n    return seconds > 60\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Expire the cache after a minute\n\nStale prices were shown for hours.", day=1)
    (folder / "docs.md").write_text("# Prices\n\nPrices come from the catalogue.\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Document prices", day=2)
    (folder / "build").mkdir()
    (folder / "build" / "cache.txt").write_text("cache cache cache")
    (folder / "debug.log").write_text("cache")
    (folder / "untracked.txt").write_text("The cache is not under control yet.")
    return folder


def test_passages_of_a_repository(repository: Path) -> None:
    found = passages([repository], "how long does the cache live", 5)
    assert [one.source for one in found.excerpts] == ["shop/src/cache.py:1-2", "shop/untracked.txt:1-1"]
    assert found.excerpts[0].quote == "def expireCache(seconds):\n    return seconds > 60"
    assert found.excerpts[0].score > found.excerpts[1].score
    assert found.files == 4
    assert found.left_out == {}


def test_a_folder_without_git(tmp_path: Path) -> None:
    for name in ("a.txt", ".hidden/b.txt", "node_modules/c.js", ".secret", "sub/d.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"cache in {name}")
    found = passages([tmp_path], "cache", 9)
    assert {one.source.rpartition(":")[0] for one in found.excerpts} == {
        f"{tmp_path.name}/a.txt",
        f"{tmp_path.name}/sub/d.txt",
    }


def test_what_is_left_out_is_counted(repository: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "treasure.txt").write_text("cache of treasure")
    (repository / "link.txt").symlink_to(outside / "treasure.txt")
    (repository / "folder").mkdir()
    (repository / "folder" / "treasure.txt").write_text("cache")
    git(repository, "add", ".")
    (repository / "folder" / "treasure.txt").unlink()
    (repository / "folder").rmdir()
    (repository / "folder").symlink_to(outside)  # git still lists folder/treasure.txt
    (repository / "image.bin").write_bytes(b"cache\0\1")
    (repository / "latin.txt").write_bytes("cache é".encode("latin-1"))
    (repository / "large.txt").write_text("cache " * 100_000)
    (repository / ".env").write_text("CACHE_KEY=secret")
    (repository / "server.PEM").write_text("cache")
    os.mkfifo(repository / "pipe")
    found = passages([repository], "cache treasure", 99)
    assert found.left_out == {"not a regular file": 3, "binary": 1, "too large": 1, "may hold secrets": 2}
    assert "cache é" in [one.quote for one in found.excerpts], "an old encoding is no binary file"
    assert not any("treasure" in one.quote or "secret" in one.quote for one in found.excerpts)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no"):
        passages([tmp_path / "none"], "x", 1)
    with pytest.raises(ConfigError, match="there is no"):
        commits(tmp_path / "none", "x", 1)


def test_without_a_history(tmp_path: Path) -> None:
    assert commits(tmp_path, "x", 3) == []
    git(tmp_path, "init", "-q")
    assert commits(tmp_path, "x", 3) == []


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    assert commits(repository, "cache", 3) == []
    assert passages([repository], "cache", 9).files == 5  # the hidden files left out, the ignored ones not


def test_a_hostile_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    """Every setting by which a repository could have a command run by what is called here."""
    ran = tmp_path / "ran"
    trap = repository / ".git" / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n")
    trap.chmod(0o755)
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).write_text(trap.read_text())
        (hooks / name).chmod(0o755)
    for setting in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "core.editor",
        "core.askPass",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.textconv",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "gpg.program",
        "gpg.ssh.program",
        "alias.log",
        "alias.ls-files",
        "remote.origin.uploadpack",
    ):
        git(repository, "config", setting, f"!{trap}" if setting.startswith("alias") else str(trap))
    git(repository, "config", "log.showSignature", "true")
    git(repository, "config", "protocol.ext.allow", "always")
    git(repository, "config", "remote.origin.url", f"ext::{trap}")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "extensions.partialClone", "origin")
    (repository / ".gitattributes").write_text("* diff=x filter=x\n")
    sign(repository)
    assert len(commits(repository, "cache prices", 5)) == 2
    assert passages([repository], "cache", 5).excerpts
    assert not ran.exists()


def test_a_history_with_a_hole_is_not_fetched(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    git(repository, "config", "remote.origin.url", f"ext::touch {ran}")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "protocol.ext.allow", "always")
    head = subprocess.run(
        ["git", "rev-parse", "HEAD~1"], cwd=repository, capture_output=True, text=True, check=True
    ).stdout.strip()
    (repository / ".git" / "objects" / head[:2] / head[2:]).unlink()
    with pytest.raises(ConfigError, match="git log failed"):
        commits(repository, "cache", 5)
    assert not ran.exists()


def test_the_environment_s_repository_is_not_ours(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    other = tmp_path / "other"
    other.mkdir()
    assert commits(other, "cache", 5) == []


@settings(deadline=None)
@given(st.text(st.sampled_from("ab \n\t日"), max_size=400), st.integers(8, 60))
def test_chunks_are_the_text_in_order(text: str, most: int) -> None:
    found = chunks(text, most)
    assert "".join("".join(chunk.text.split()) for chunk in found) == "".join(text.split())
    for chunk in found:
        assert 0 < len(chunk.text) <= most
        assert text[chunk.start : chunk.start + len(chunk.text)] == chunk.text
        assert chunk.first_line == text.count("\n", 0, chunk.start) + 1
        assert chunk.last_line == chunk.first_line + chunk.text.count("\n")


def test_chunks_end_at_blank_lines_where_they_can() -> None:
    text = "one " * 10 + "\n\n" + "two " * 10 + "\n\n" + "three " * 3
    assert [chunk.text.split()[0] for chunk in chunks(text, 50)] == ["one", "two", "three"]
