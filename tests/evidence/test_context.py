"""Reading documents for a debate: every kind of name, and what is refused or left out."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from moot.errors import ConfigError
from moot.evidence.context import Found, read_body, read_context
from moot.evidence.diffs import title_of_diff
from tests.kit.pages import ARTICLE, SENTENCE, pdf, running

ROOM = 100_000


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits: the second changes a line."""
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run(["git", "init", "-q", "-b", "main", "."], check=True)
    for text, message in (("return a - b", "Add a sum"), ("return a + b", "Mend the sum")):
        (tmp_path / "sum.py").write_text(f"def sum(a, b):\n    {text}\n", "utf-8")
        subprocess.run(["git", "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
    return tmp_path


@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "code.py", "data.json", "old.txt"])
def test_text_files_are_read_as_they_are(tmp_path: Path, name: str) -> None:
    text = '# A title\n\n{"café": [1, 2]}\n'
    (tmp_path / name).write_bytes(text.encode("cp1252" if name == "old.txt" else "utf-8"))
    found = read_context(str(tmp_path / name), ROOM)
    assert found == Found("A title" if name == "notes.md" else name, text, str(tmp_path / name))


def test_pdf_and_html_are_read_for_their_words(tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(pdf("Two of nine cables had rusted through."))
    (tmp_path / "page.html").write_text(ARTICLE, "utf-8")
    assert read_context(str(tmp_path / "report.pdf"), ROOM).text == "Two of nine cables had rusted through."
    page = read_context(str(tmp_path / "page.html"), ROOM)
    assert SENTENCE in page.text and page.title == "Buses & streets" and "never shown" not in page.text


def test_a_folder_is_one_document_that_says_what_it_left_out(tmp_path: Path) -> None:
    for name, body in {"b.py": b"print('b')", "a.md": b"Words.", "x.bin": b"\0\1", ".env": b"KEY=secret"}.items():
        (tmp_path / name).write_bytes(body)
    (tmp_path / "deploy.pem").write_text("secret", "utf-8")
    found = read_context(str(tmp_path), ROOM)
    label = tmp_path.name
    assert found.text == f"=== {label}/a.md\nWords.\n\n=== {label}/b.py\nprint('b')\n"
    assert found.title == f"{label}/, 2 files"
    assert "may hold secrets" in found.left_out and "binary" in found.left_out
    assert "secret" not in found.text
    short = read_context(str(tmp_path), len(label) + 25)
    assert "1 file (more than fit)" in short.left_out


def test_a_folder_has_its_pdfs_and_old_encodings(tmp_path: Path) -> None:
    bodies = {
        "a.pdf": pdf("Two of nine cables had rusted through."),
        "b.txt": "Straße, für alle".encode("cp1252"),
        "c.txt": "\ufeffzwei".encode("utf-16-le"),
        "d.pdf": b"%PDF-1.4 but nothing else",
        "e.bin": bytes(range(1, 256)),
        "f.html": b"<p>The markup stays: this may be code.",
    }
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
    found = read_context(str(tmp_path), ROOM)
    label = tmp_path.name
    assert found.text == "\n".join(
        f"=== {label}/{name}\n{text}\n"
        for name, text in {
            "a.pdf": "Two of nine cables had rusted through.",
            "b.txt": "Straße, für alle",
            "c.txt": "zwei",
            "f.html": "<p>The markup stays: this may be code.",
        }.items()
    )
    assert found.left_out == "1 file (PDF that cannot be read), 1 file (binary)"


def test_a_range_of_commits(repository: Path) -> None:
    found = read_context("HEAD~1..HEAD", ROOM)
    assert found.title == "git diff HEAD~1..HEAD"
    assert "Mend the sum" in found.text and "Add a sum" not in found.text
    assert "sum.py | 2 +-" in found.text
    assert "-    return a - b\n+    return a + b" in found.text
    (repository / "sum.py").write_text("def sum(a, b):\n    return sum([a, b])\n", "utf-8")
    assert "+    return sum([a, b])" in read_context("HEAD", ROOM).text, "a revision is compared with the files"


def test_nothing_that_a_repository_sets_up_is_run(repository: Path) -> None:
    """Its filters and its program for signatures; those of the user would be."""
    program = repository / "program"
    program.write_text(f"#!/bin/sh\ntouch {repository}/owned\ncat\n", "utf-8")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("*.py filter=theirs\n", "utf-8")
    head, body = _git("cat-file", "commit", "HEAD").split("\n\n", 1)
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n{body}"
    _git("update-ref", "HEAD", _git("hash-object", "-t", "commit", "-w", "--stdin", given=signed).strip())
    settings = {"log.showSignature": "true", "gpg.program": str(program)}
    settings |= {f"filter.theirs.{kind}": str(program) for kind in ("clean", "smudge", "process")}
    for name, value in settings.items():
        _git("config", name, value)
    (repository / "sum.py").write_text("def sum(a, b):\n    return b\n", "utf-8")
    assert "Mend the sum" in read_context("HEAD~1..HEAD", ROOM).text
    assert "+    return b" in read_context("HEAD", ROOM).text
    assert not (repository / "owned").exists()
    _git("config", "filter.a=b.clean", str(program))
    with pytest.raises(ConfigError, match="could not be switched off"):
        read_context("HEAD", ROOM)


def test_a_repository_does_not_say_where_its_files_lie(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = repository / "downloads" / "theirs"
    inside.mkdir(parents=True)
    (repository / "sum.py").write_text("a secret", "utf-8")
    (repository / ".git").rename(inside / ".git")
    monkeypatch.chdir(inside)
    _git("config", "core.worktree", str(repository))
    with pytest.raises(ConfigError, match="says that its files lie in"):
        read_context("HEAD", ROOM)


def test_the_difference_of_a_linked_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _git("worktree", "add", "-q", "linked")
    monkeypatch.chdir(repository / "linked")
    (repository / "linked" / "sum.py").write_text("def sum(a, b):\n    return b\n", "utf-8")
    assert "+    return b" in read_context("HEAD", ROOM).text


def _git(*arguments: str, given: str | None = None) -> str:
    done = subprocess.run(["git", *arguments], check=True, input=given, capture_output=True, encoding="utf-8")
    return done.stdout


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("name", ["missing.md", "no-such-branch..HEAD", "--output=x", "-", "", "a\0b"])
def test_names_that_stand_for_nothing(name: str) -> None:
    with pytest.raises(ConfigError):
        read_context(name, ROOM)
    assert not Path("x").exists()


@pytest.mark.usefixtures("repository")
def test_no_difference_is_no_document() -> None:
    with pytest.raises(ConfigError, match="no difference"):
        read_context("HEAD..HEAD", ROOM)


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="not a git repository"):
        read_context("main..HEAD", ROOM)


@pytest.mark.parametrize(
    ("body", "name", "fault"),
    [
        (b"\0\1\2", "x.bin", "not text, but binary"),
        (b" \n", "x.md", "is empty"),
        (b"%PDF-1.4 broken", "x.pdf", "cannot be read"),
        (b"x" * (20 * 1024 * 1024 + 1), "x.txt", "20,971,520 bytes"),
    ],
)
def test_files_that_cannot_be_read(body: bytes, name: str, fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        read_body(body, name)


async def test_a_page_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_ALLOW_LOOPBACK_FETCH", "1")
    async with running() as site:
        found = await asyncio.to_thread(read_context, site.url("/good"), ROOM)
        with pytest.raises(ConfigError, match="cannot be read"):
            await asyncio.to_thread(read_context, site.url("/status/403"), ROOM)
    assert SENTENCE in found.text
    monkeypatch.delenv("MOOT_ALLOW_LOOPBACK_FETCH")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_context("http://127.0.0.1:9/metadata", ROOM)


def test_the_title_of_a_diff() -> None:
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-old\n+new\n+newer\n"
    assert title_of_diff(diff) == "A change of 1 file (+2, -1): a.py"
    four = "".join(diff.replace("a.py", f"{name}.py") for name in "abcd")
    assert title_of_diff(four) == "A change of 4 files (+8, -4): a.py, b.py, c.py and 1 more"
    assert title_of_diff("An essay about diff --git a/x") == ""
    assert title_of_diff("diff --git a/a b.sh b/a b.sh\nold mode 100644\n") == "A change of 1 file (+0, -0): a b.sh"
    assert title_of_diff("From Monday on, all is new.\n\n--- \n@@ so be it") == ""


@pytest.mark.parametrize(
    ("command", "title"),
    [
        (["diff", "HEAD~1"], "A change of 2 files (+3, -1): my sum.py, sum.py"),
        (["-c", "diff.noprefix=true", "diff", "HEAD~1"], "A change of 2 files (+3, -1): my sum.py, sum.py"),
        (["-c", "diff.mnemonicPrefix=true", "diff", "HEAD~1"], "A change of 2 files (+3, -1): my sum.py, sum.py"),
        (["-c", "color.ui=always", "diff", "HEAD~1"], "A change of 2 files (+3, -1): my sum.py, sum.py"),
        (["diff", "--no-index", "sum.py", "my sum.py"], "A change of 1 file (+1, -3): my sum.py"),
        (["format-patch", "--stdout", "HEAD~1"], "A change of 1 file (+1, -1): sum.py"),
        (["show"], "A change of 1 file (+1, -1): sum.py"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_diffs_of_all_kinds(command: list[str], title: str) -> None:
    Path("my sum.py").write_text("-- a = 1\n", "utf-8")
    subprocess.run(["git", "add", "-N", "my sum.py"], check=True)
    Path("sum.py").write_text("def sum(a, b):\n    return a + b\n++ b\n", "utf-8")
    printed = subprocess.run(["git", *command], capture_output=True, check=False).stdout
    found = read_body(printed, "standard input")
    assert found.title == title and "\x1b" not in found.text
    plain = subprocess.run(["diff", "-u", "sum.py", "my sum.py"], capture_output=True, check=False).stdout
    assert read_body(plain, "x.diff").title == "A change of 1 file (+1, -3): my sum.py"
