"""Cited pages that are made to be slow or large: each costs its own reader, and that within its limits."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.argument import Graph, formats
from moot.evidence.pages import Problem, Text
from moot.evidence.reader import Readers
from tests.kit.pages import patient_readers
from tests.kit.waiting import AT_ONCE, PATIENCE

PAGE = b"<html><head><title>A title</title></head><body><p>Some words that can be read by anybody.</p></body></html>"
DEEP = b"<html><body>" + b"<b>" * 1_500_000


@pytest.fixture(autouse=True, scope="module")
def patient() -> Iterator[None]:
    with patient_readers():
        yield


WORDS = Text("A title", "Some words that can be read by anybody.")


def stopped(readers: Readers) -> None:
    """Have the next page read by a reader that never comes to an end with it."""
    assert readers.read(PAGE, "text/html", None, PATIENCE) == WORDS
    [process] = readers._idle
    os.kill(process.pid, signal.SIGSTOP)


def test_a_page_that_takes_too_long_ends_its_reader_and_no_other_page() -> None:
    readers = Readers()
    try:
        stopped(readers)
        assert readers.read(PAGE, "text/html", None, AT_ONCE) == Problem("slow", "the page takes too long to read")
        assert readers.read(PAGE, "text/html", None, PATIENCE) == WORDS
        # The second page was read by another process, which is still there for the next one.
        [reader] = readers._idle
        assert readers.read(PAGE, "text/html", None, PATIENCE) == WORDS
        assert readers._idle == [reader]
    finally:
        readers.close()
    assert all(process.poll() is not None for process in readers._all)


def test_a_page_that_takes_all_memory_is_not_read() -> None:
    readers = Readers(memory=400 << 20)
    try:
        found = readers.read(DEEP, "text/html", None, PATIENCE)
        assert isinstance(found, Problem), found
    finally:
        readers.close()


def test_a_reader_has_no_keys_and_writes_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    readers = Readers()
    try:
        assert readers.read(PAGE, "text/html", None, PATIENCE) == WORDS
        [process] = readers._idle
        assert b"sk-secret" not in Path(f"/proc/{process.pid}/environ").read_bytes()
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert "Max file size             0" in limits
    finally:
        readers.close()


@pytest.mark.parametrize("form", ["tgf", "argdown", "mermaid", "af"])
@pytest.mark.filterwarnings("ignore::moot.argument.formats.Loss")
def test_no_escape_codes_are_in_graphs_for_people(form: str) -> None:
    bad = "\x1b[31mred\u202e\x9b1m\r\x07"
    text = formats.write(Graph.of([f"{bad}a", "b"], [("b", f"{bad}a")], texts={f"{bad}a": f"{bad} text"}), form)
    assert all(char == "\n" or char.isprintable() for char in text), text
