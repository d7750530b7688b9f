"""The log and the file of lines below it: whole lines, in order, whoever writes and whatever is cut off."""

import json
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.record.entry import GENESIS, Draft
from moot.record.lines import LineFile, read_lines
from moot.record.log import Log, chain_faults, line_hash, read_log
from tests.kit.duels import log_hash
from tests.kit.files import open_below

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


def draft(content: str) -> Draft:
    return Draft("opening", "Ada", "note", content)


def written(path: Path, *contents: str) -> list[moot.Entry]:
    log = Log(path)
    entries = [log.append(draft(content)) for content in contents]
    log.close()
    return entries


def fresh(folder: Path, name: str = "lines") -> Path:
    return folder / f"{name}-{len(list(folder.iterdir()))}"


@given(texts=st.lists(TEXT, max_size=8), cut=st.integers(0, 400))
def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path, texts: list[str], cut: int) -> None:
    path = fresh(tmp_path)
    lines = [json.dumps({"text": text}).encode() for text in texts]
    whole = b"".join(line + b"\n" for line in lines)
    cut = min(cut, len(whole))
    path.write_bytes(whole[:cut])
    ends = [sum(len(line) + 1 for line in lines[: number + 1]) for number in range(len(lines))]
    file = LineFile(path)
    with file.locked():
        kept = file.new_lines()
        assert kept == lines[: sum(end - 1 <= cut for end in ends)]
        # What was cut off is beside, and the next line starts on a line of its own.
        file.append(b'{"next": true}')
        assert file.new_lines() == []
    file.close()
    aside = path.with_name(f"{path.name}.torn-1")
    assert read_lines(path) == [*kept, b'{"next": true}']
    assert b"".join(line + b"\n" for line in kept) + (aside.read_bytes() if aside.exists() else b"") in (
        whole[:cut],
        whole[:cut] + b"\n",
    )


@given(writers=st.lists(st.integers(0, 2), max_size=15))
def test_entries_are_numbered_and_chained_whoever_writes(tmp_path: Path, writers: list[int]) -> None:
    path = fresh(tmp_path, "log")
    logs = [Log(path) for _ in range(3)]
    for number, writer in enumerate(writers, 1):
        entry = logs[writer].append(draft(f"{number} by {writer}"))
        assert entry.seq == number - 1
        assert entry.prev == (line_hash(path.read_bytes().splitlines()[-2]) if number > 1 else GENESIS)
    for log in logs:
        log.close()
    assert [entry.content for entry in read_log(path)] == [f"{n} by {w}" for n, w in enumerate(writers, 1)]
    assert chain_faults(read_lines(path)) == []
    assert logs[writers[-1]].head == log_hash(path) if writers else log_hash(path) == GENESIS


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    entries = written(path, "é \u2028 \x85 \x00 \r\n “”", "two\nlines", "😀")
    assert read_log(path) == entries
    assert len(path.read_bytes().split(b"\n")) == 4
    first = list(json.loads(path.read_bytes().split(b"\n")[0]))
    assert first[:7] == ["seq", "timestamp", "phase", "speaker", "type", "content", "sources"]
    assert first[7:] == ["rebuttal_to_seq", "target_seq", "to", "data", "call", "prev"]


def test_a_line_that_is_taken_in_pieces_is_whole(tmp_path: Path) -> None:
    write = os.write
    with patch("os.write", lambda file, data: write(file, data[:3])):
        [entry] = written(tmp_path / "log.jsonl", "one")
    assert read_log(tmp_path / "log.jsonl") == [entry]


def test_readers_of_a_running_log_leave_a_cut_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, "one", "two")
    whole = path.read_bytes()
    first, second = whole.splitlines(keepends=True)
    for length in range(len(second)):
        path.write_bytes(first + second[:length])
        assert [entry.content for entry in read_log(path)] == ["one"]
        assert log_hash(path) == line_hash(first.rstrip(b"\n"))
        assert path.read_bytes() == first + second[:length]


def test_a_writer_goes_on_after_what_another_left_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log(path)
    log.append(draft("one"))
    with path.open("ab") as dying:
        dying.write(b'{"seq": 1, "conte')
    assert log.append(draft("two")).seq == 1
    log.close()
    assert [entry.content for entry in read_log(path)] == ["one", "two"]
    assert (tmp_path / "log.jsonl.torn-1").read_bytes() == b'{"seq": 1, "conte'


def test_a_log_that_was_shortened_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log(path)
    log.append(draft("one"))
    log.append(draft("two"))
    first = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(first)
    with pytest.raises(moot.RunDamaged, match="shortened"):
        log.append(draft("three"))
    log.close()
    assert path.read_bytes() == first


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"{}", b"\xff"])
def test_damage_is_named_and_nothing_stays_open(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "log.jsonl"
    written(path, "one", "two")
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + damage + b"\n" + second)
    with pytest.raises(moot.RunDamaged, match=r"log\.jsonl, line 2 is not a log entry"):
        Log(path)
    assert open_below(tmp_path) == []
    with pytest.raises(moot.RunDamaged, match=r"log\.jsonl, line 2 is not a log entry"):
        read_log(path)


def test_a_seq_out_of_place_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, "one", "two", "three")
    first, second, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + third + second)
    with pytest.raises(moot.RunDamaged, match="line 2 has seq 2, not 1"):
        Log(path)
