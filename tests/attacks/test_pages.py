"""Cited pages that are made to be slow or large: each costs its own reader, and that within its limits."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from moot.argument import Graph, formats
from moot.evidence.pages import Problem, Text
from moot.evidence.reader import Readers

PAGE = b"<html><head><title>A title</title></head><body><p>Some words that can be read by anybody.</p></body></html>"
SLOW = b"<html><body><a " + b" ".join(b"x%d=1" % number for number in range(60_000)) + b">x</a></body></html>"
DEEP = b"<html><body>" + b"<b>" * 1_500_000


def test_a_page_that_takes_too_long_ends_its_reader_and_no_other_page() -> None:
    readers = Readers()
    try:
        before = time.monotonic()
        assert readers.read(SLOW, "text/html", None, 0.7) == Problem("slow", "the page takes too long to read")
        assert time.monotonic() - before < 30, "SLOW takes a minute"
        assert readers.read(PAGE, "text/html", None, 30.0) == Text("A title", "Some words that can be read by anybody.")
        # The second page was read by another process, which is still there for the next one.
        [reader] = readers._idle
        assert readers.read(PAGE, "text/html", None, 30.0) == Text("A title", "Some words that can be read by anybody.")
        assert readers._idle == [reader]
    finally:
        readers.close()
    assert all(process.poll() is not None for process in readers._all)


def test_a_page_that_takes_all_memory_is_not_read() -> None:
    readers = Readers(memory=400 << 20)
    try:
        found = readers.read(DEEP, "text/html", None, 60.0)
        assert isinstance(found, Problem), found
    finally:
        readers.close()


def test_a_reader_has_no_keys_and_writes_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    readers = Readers()
    try:
        assert isinstance(readers.read(PAGE, "text/html", None, 30.0), Text)
        [process] = readers._idle
        assert b"sk-secret" not in Path(f"/proc/{process.pid}/environ").read_bytes()
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert "Max file size             0" in limits
    finally:
        readers.close()


def test_plain_text_needs_no_reader() -> None:
    readers = Readers()
    assert readers.read(b"# Title\n\nWords.", "text/plain", None, 1.0) == Text("Title", "# Title\n\nWords.")
    assert readers._all == []


def test_readers_that_are_ended_tell_whoever_waits() -> None:
    readers = Readers()
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(readers.read, SLOW, "text/html", None, 60.0)
        while not readers._all:
            time.sleep(0.02)
        readers.close()
        assert isinstance(reading.result(20), Problem)


@pytest.mark.parametrize("form", ["tgf", "argdown", "mermaid", "af"])
@pytest.mark.filterwarnings("ignore::moot.argument.formats.Loss")
def test_no_escape_codes_are_in_graphs_for_people(form: str) -> None:
    bad = "\x1b[31mred\u202e\x9b1m\r\x07"
    text = formats.write(Graph.of([f"{bad}a", "b"], [("b", f"{bad}a")], texts={f"{bad}a": f"{bad} text"}), form)
    assert all(char == "\n" or char.isprintable() for char in text), text
