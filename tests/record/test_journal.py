"""The journal: whatever part of it is there, and of the log beside it, the rest is asked for and nothing else."""

import asyncio
import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import moot
from moot.engine.play.agent import part_of
from moot.errors import ReplayDivergence
from moot.record.journal import Journal, Record, conversations, read_journal, request_sha256
from moot.testing import ScriptedModel
from tests.kit.duels import (
    assert_sound,
    full_script,
    harsh_script,
    not_yet_paid,
    play,
    said,
    small_config,
    staged,
    take_up,
)
from tests.kit.files import open_below
from tests.kit.processes import in_process


def record(key: str, reply: str = "yes") -> Record:
    return Record(key=key, agent="A", model="m", reply=reply, started="2026-01-01T00:00:00Z")


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def rests_on(record: Record) -> str | None:
    """The other agent's call that has to be answered before this one can be asked."""
    match record.key.split("/"):
        case ["A" | "B", "think", number] if number != "1":
            return f"{'B' if int(number) % 2 else 'A'}/turn/{int(number) - 1}"
        case ["judge", "evaluate", number]:
            return f"{'A' if int(number) % 2 else 'B'}/turn/{number}"
        case _:
            return None


def cuts(records: list[Record]) -> Iterator[list[Record]]:
    """Every part of a journal that replies could have left behind, in whatever order they came."""
    facts = [one for one in records if one.kind == "fact"]
    yield []
    by_agent = [[one for one in records if part_of(one.agent) == part] for part in ("A", "B", "judge")]
    for lengths in itertools.product(*(range(len(own) + 1) for own in by_agent)):
        replies = [one for own, length in zip(by_agent, lengths, strict=True) for one in own[:length]]
        if {rests_on(one) for one in replies} <= {None, *(one.key for one in replies)}:
            yield facts + replies


def borne_out(entries: list[moot.Entry], records: list[Record], kept: list[Record]) -> int:
    """How many entries can have been written when of all the records these were there."""
    missing = {one.key for one in records if one not in kept}
    return next((place for place, entry in enumerate(entries) if entry.call in missing or not kept), len(entries))


def test_every_part_of_a_run_can_be_taken_up(tmp_path: Path) -> None:
    result = play(small_config(tmp_path / "whole", 2), ScriptedModel(harsh_script(2)))
    whole = moot.find_run(result.run)
    entries, records = whole.entries(), whole.records()
    journal, log, states = lines(whole.journal_path), lines(whole.log_path), 0
    every, found = 1 if settings().max_examples > 25 else 7, itertools.count()  # which is no part of the lengths
    for kept in cuts(records):
        for written in range(borne_out(entries, records, kept) + 1):
            if next(found) % every:
                continue
            run = moot.Run(tmp_path / f"{states}")
            run.path.mkdir()
            shutil.copy(whole.path / "config.yaml", run.path)
            run.journal_path.write_bytes(b"".join(journal[records.index(one)] for one in kept))
            run.log_path.write_bytes(b"".join(log[:written]))
            state = [one.key for one in kept], written
            assert moot.verify(run).faults == [], state
            # A log that lags behind a journal is no contradiction, and a log that has more would be one.
            assert all("the log stops at" in one for one in asyncio.run(moot.replay(run)).differences), state
            model = ScriptedModel(not_yet_paid(harsh_script(2), kept))
            assert take_up(run, model, reports=False).status == "done", state
            assert said(run.entries()) == said(entries), state
            assert sorted(one.key for one in run.records()) == sorted(one.key for one in records), state
            assert_sound(run)
            states += 1
    assert states * every > 10 * len(entries)


def test_cut_off_lines_never_overwrite_each_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for cut in (b'{"key"', b'{"ke', b"\x00\x00\x00"):
        with path.open("ab") as file:
            file.write(cut)
        Journal(path).close()
    asides = sorted(tmp_path.glob("*.torn-*"))
    assert [one.name for one in asides] == ["calls.jsonl.torn-1", "calls.jsonl.torn-2", "calls.jsonl.torn-3"]
    assert [one.read_bytes() for one in asides] == [b'{"key"', b'{"ke', b"\x00\x00\x00"]


async def test_records_come_back_as_they_were_kept(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    journal = Journal(path)
    await journal.keep(record("A/plan", "é \u2028 \n “”"))
    journal.note(Record(key="draw/order", started="2026-01-01T00:00:00Z", kind="fact", value=[1, None]))
    journal.note(Record(key="A/think", started="2026-01-01T00:00:00Z", kind="failure", error="gone"))
    journal.close()
    journal = Journal(path)
    journal.close()
    reply, fact = journal.reply("A/plan", 1), journal.fact("draw/order")
    assert reply and reply.reply == "é \u2028 \n “”"
    assert fact and fact.value == [1, None]
    assert journal.reply("A/plan", 2) is journal.reply("A/think", 1) is journal.fact("draw/else") is None
    assert [one.error for one in journal.failures] == ["gone"]
    assert read_journal(path) == journal.records


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"nonsense",
        b"[]",
        b'{"key": 1}',
        b'{"key": "k", "started": "s"}',
        b'{"key": "k", "started": "2026-01-01T00:00:00Z", "x": 1}',
    ],
)
def test_damage_is_named_and_nothing_stays_open(tmp_path: Path, damage: bytes) -> None:
    run = staged(tmp_path)
    whole = lines(run.journal_path)
    run.journal_path.write_bytes(whole[0] + damage + b"\n" + whole[1])
    with pytest.raises(moot.RunDamaged, match=r"calls\.jsonl, line 2 "):
        take_up(run, ScriptedModel({}))
    assert open_below(tmp_path) == []
    assert run.journal_path.read_bytes() == whole[0] + damage + b"\n" + whole[1]


@pytest.mark.parametrize(
    ("file", "old", "new", "key"),
    [
        ("config.yaml", b"Ada is for it", b"Ada is not for it", "A/plan"),
        ("calls.jsonl", b"Thought 1 of A", b"Thought 9 of A", "A/turn/1"),
        ("calls.jsonl", b'"maximum":10', b'"maximum":99', "judge/score/1"),
    ],
)
def test_what_was_edited_is_named_and_nothing_is_asked(
    tmp_path: Path, file: str, old: bytes, new: bytes, key: str
) -> None:
    run = moot.find_run(play(small_config(tmp_path, max_calls=8), ScriptedModel(full_script(2))).run)
    content = (run.path / file).read_bytes()
    assert old in content
    (run.path / file).write_bytes(content.replace(old, new))
    model = ScriptedModel(full_script(2))
    with pytest.raises(ReplayDivergence) as caught:
        take_up(moot.Run(run.path), model, max_calls=50)
    assert (caught.value.key, model.requests) == (key, [])


def test_conversations_are_the_requests_that_were_sent(tmp_path: Path) -> None:
    model = ScriptedModel(harsh_script(4))
    run = moot.find_run(play(small_config(tmp_path, 4), model).run)
    sent = {request_sha256(request.messages, request.schema): request.messages for request in model.requests}
    found = list(conversations(run.records()))
    assert len(found) == len(model.requests) == len(sent)
    for one, request in found:
        assert one.request_sha256 is not None
        assert tuple(request) == sent[one.request_sha256]


RUN_FORK_RUN = """
import signal, sys
from pathlib import Path
from tests.kit.processes import in_child
from tests.kit.duels import staged

def run():
    signal.alarm(900)
    staged(Path(sys.argv[1]))

run()
in_child(run)
"""


def test_a_forked_process_can_run_debates_too(tmp_path: Path) -> None:
    """The threads that wait for the disk stay behind in a fork; a child that relied on them would wait for ever."""
    in_process(tmp_path, code=RUN_FORK_RUN)
    assert [run.result() is not None for run in moot.list_runs(str(tmp_path))] == [True, True]
