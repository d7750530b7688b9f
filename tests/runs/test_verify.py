"""Verification: nothing can be altered, removed, doubled or reordered without being found, and near where it was."""

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.record.log import line_hash
from moot.runs.verify import Verification
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config, staged, take_up
from tests.kit.hands import config_of, registered, ups


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return staged(tmp_path_factory.mktemp("verify"))


def verified(run: moot.Run, file: str, data: bytes) -> Verification:
    """What verification says of the run with that file changed; the run is as it was afterwards."""
    path = run.path / file
    before = path.read_bytes()
    assert data != before
    path.write_bytes(data)
    try:
        return moot.verify(moot.Run(run.path))
    finally:
        path.write_bytes(before)


def lines_of(run: moot.Run) -> list[bytes]:
    return run.log_path.read_bytes().splitlines(keepends=True)


def named(faults: list[str]) -> set[int]:
    """Every line or entry that faults name."""
    return {int(number) for fault in faults for number in re.findall(r"(?:line|entry|entries|to|for) (\d+)", fault)}


def assert_found(run: moot.Run, lines: list[bytes], near: int) -> None:
    """The altered log is found out, with a message that names a line next to the alteration."""
    faults = verified(run, "log.jsonl", b"".join(lines)).faults
    assert faults
    assert named(faults) & {near - 1, near, near + 1}, faults


def test_an_untouched_run_is_clean(run: moot.Run) -> None:
    found = moot.verify(run)
    assert (found.faults, found.notes) == ([], [])
    assert (found.entries, found.replies) == (len(run.entries()), len(run.records()) - 1)


@given(data=st.data())
def test_any_altered_byte_is_found(run: moot.Run, data: st.DataObject) -> None:
    lines = lines_of(run)
    number = data.draw(st.integers(1, len(lines)))
    line = bytearray(lines[number - 1])
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] = data.draw(st.integers(0, 255).filter(lambda value: value != line[place]))
    assert_found(run, [*lines[: number - 1], bytes(line), *lines[number:]], number)


@given(data=st.data())
def test_any_removed_lines_are_found(run: moot.Run, data: st.DataObject) -> None:
    lines = lines_of(run)
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first + 1, len(lines)))
    faults = verified(run, "log.jsonl", b"".join([*lines[:first], *lines[last:]])).faults
    assert faults
    assert named(faults) & {first, first + 1, last, last + 1, len(lines)}, faults


def forged(run: moot.Run, number: int, change: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """The log with one entry changed and every link after it made to fit."""
    entries = [json.loads(line) for line in lines_of(run)]
    change(entries[number - 1])
    lines: list[bytes] = []
    for entry in entries:
        if lines:
            entry["prev"] = line_hash(lines[-1].rstrip(b"\n"))
        lines.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return lines


def test_a_whole_new_chain_does_not_fit_the_receipt(run: moot.Run) -> None:
    for number in range(1, len(lines_of(run)) + 1):
        lines = forged(run, number, lambda entry: entry.update(content="Something else."))
        faults = verified(run, "log.jsonl", b"".join(lines)).faults
        assert faults == [f"entry {len(lines) - 1} is not the one the receipt was made for: it was altered"]


@given(data=st.data())
def test_any_altered_byte_of_journal_or_config_is_found(run: moot.Run, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["calls.jsonl", "config.yaml"]))
    content = bytearray((run.path / name).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    faults = verified(run, name, bytes(content)).faults
    assert faults
    if name == "config.yaml":
        assert faults == ["config.yaml is not the one the receipt was made for"]


def test_journal_lines_cannot_be_taken_away(run: moot.Run) -> None:
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        assert verified(run, "calls.jsonl", b"".join([*lines[:number], *lines[number + 1 :]])).faults
    assert verified(run, "calls.jsonl", b"").faults


@pytest.mark.parametrize("field", ["entries", "log_sha256", "calls_sha256", "config_sha256"])
def test_an_altered_receipt_is_found(run: moot.Run, field: str) -> None:
    document = run.result()
    assert document is not None
    value = document["receipt"][field]
    for other in (value - 1, value + 1, 0) if field == "entries" else ("0" * 64, value.upper(), ""):
        receipt = document["receipt"] | {field: other}
        assert verified(run, "result.json", json.dumps(document | {"receipt": receipt}).encode()).faults, other
    receipt = {key: value for key, value in document["receipt"].items() if key != field}
    assert verified(run, "result.json", json.dumps(document | {"receipt": receipt}).encode()).faults == [
        "result.json has no receipt that can be read"
    ]


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b'{"receipt": 1}', b"\xff", b"{"])
def test_a_result_that_cannot_be_read_is_a_fault(run: moot.Run, data: bytes) -> None:
    assert verified(run, "result.json", data).faults == ["result.json has no receipt that can be read"]


def test_a_result_that_says_otherwise_than_the_log_is_a_fault(run: moot.Run) -> None:
    document = run.result()
    assert document is not None
    changes: dict[str, Any] = {
        "winner": "Bo",
        "scores": {"Ada": 1, "Bo": 9},
        "spent": document["spent"] | {"cost": 99.0},
        "failures": [{"key": "k", "agent": "Ada", "reason": "none"}],
        "notices": [],
        "limit": "max_calls",
        "extra": 1,
    }
    for key, value in changes.items():
        data = json.dumps(document | {key: value}).encode()
        assert verified(run, "result.json", data).faults == [f"result.json was altered at {key!r}"]


def test_a_run_that_was_moved_is_clean(run: moot.Run, tmp_path: Path) -> None:
    moved = moot.Run(Path(shutil.copytree(run.path, tmp_path / "elsewhere")))
    assert moot.verify(moved).faults == []


def test_without_a_result_the_last_line_is_not_vouched_for(run: moot.Run, tmp_path: Path) -> None:
    copy = moot.Run(Path(shutil.copytree(run.path, tmp_path / "copy")))
    copy.result_path.unlink()
    found = moot.verify(copy)
    assert found.faults == []
    assert found.notes == ["there is no result yet, so the last line is not vouched for"]
    asyncio.run(moot.rebuild(copy))
    assert moot.verify(copy) == moot.verify(run)


def test_an_entry_without_its_reply_is_found_though_its_protocol_is_missing(tmp_path: Path) -> None:
    with registered():
        copy = moot.find_run(play(config_of(tmp_path), ScriptedModel(ups(True, True, True))).run)
    copy.result_path.unlink()
    journal = copy.journal_path.read_bytes().splitlines(keepends=True)
    found = verified(copy, "calls.jsonl", b"".join(journal[:-1]))
    assert found.faults == ["entry 3 rests on the reply at cat/raise, which is not in the journal"]


def test_a_run_that_died_after_it_was_taken_up_again_is_clean(tmp_path: Path) -> None:
    """The result of its first part is still there, and is for that part only."""
    run = moot.find_run(play(small_config(tmp_path, max_calls=6), ScriptedModel(full_script(2))).run)
    first, old, entries = run.result_path.read_bytes(), lines_of(run), len(run.records())
    take_up(run, ScriptedModel(full_script(2)), max_calls=50)
    journal = run.journal_path.read_bytes().splitlines(keepends=True)
    run.result_path.write_bytes(first)
    run.journal_path.write_bytes(b"".join(journal[:-3]))
    run.log_path.write_bytes(b"".join(lines_of(run)[:-1]))
    found = moot.verify(run)
    assert found.faults == []
    assert found.notes == ["the run went on since its result was written, and has not come to a new one"]
    # What the old result does vouch for is still held against it.
    altered = b"".join(journal[: entries - 1] + journal[entries:])
    assert verified(run, "calls.jsonl", altered).faults
    assert verified(run, "log.jsonl", b"".join(old[:-1])).faults
