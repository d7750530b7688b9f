"""What workers have of a queue, and how one that is silent is told from one that could not be heard."""

import asyncio

import pytest

from moot import queue as job_queue
from moot.database.connection import Database
from moot.queue.claims import Claims, Watch
from moot.queue.jobs import queue_at
from tests.kit.workers import debates


@pytest.fixture
def queue(database: str) -> Database:
    asyncio.run(job_queue.submit(database, "trial", debates(5)))
    return queue_at(database)


def states(queue: Database) -> list[tuple[str, bool]]:
    return queue.rows("SELECT state, worker IS NULL FROM moot_debates ORDER BY run")


def test_a_claim_whose_answer_was_lost_is_found_again(queue: Database) -> None:
    claims = Claims(queue, 2)
    lost = claims.look(())
    assert [claim.name for claim in claims.look(()).new] == [claim.name for claim in lost.new]
    assert len(lost.new) == 2
    assert not claims.look({claim.run for claim in lost.new}).new, "there is no room for more"
    assert [state for state, _ in states(queue)] == ["running"] * 2 + ["waiting"] * 3


def test_only_who_is_silent_is_taken_over_and_it_then_changes_nothing(queue: Database) -> None:
    first, second = Claims(queue, 2), Claims(queue, 0)
    mine = {claim.run for claim in first.look(()).new}
    before = second.look(()).beats
    first.look(mine)
    assert second.take_over(before) == 0, "it was heard of since"
    assert first.look(mine).lost == set()
    assert second.take_over(second.look(()).beats) == 2
    assert states(queue) == [("waiting", True)] * 5
    for run in mine:
        first.end(run, "failed", "for no reason")
        first.put_back(run, 100.0)
    assert states(queue) == [("waiting", True)] * 5
    other = {claim.run for claim in Claims(queue, 5).look(()).new}
    assert mine < other
    assert first.look(mine).lost == mine, "and it is told so, under a new number"


def test_who_was_told_to_stop_and_has_no_worker_left_has_stopped(database: str, queue: Database) -> None:
    first, second = Claims(queue, 2), Claims(queue, 0)
    mine = {claim.run for claim in first.look(()).new}
    assert asyncio.run(job_queue.cancel(database, "trial")) == 5
    assert first.look(mine).stop == mine
    second.take_over(second.look(()).beats)
    assert asyncio.run(job_queue.progress(database, "trial")).ended == {"cancelled": 5}


def test_who_leaves_puts_back_what_it_has(queue: Database) -> None:
    claims = Claims(queue, 3)
    claims.look(())
    claims.leave()
    assert states(queue) == [("waiting", True)] * 5
    assert queue.rows("SELECT 1 FROM moot_workers") == []


def test_silence_is_only_what_could_be_heard() -> None:
    watch = Watch(takeover=8.0)
    assert [watch.look(float(now), {1: 5}) for now in range(0, 10, 2)] == [{}, {}, {}, {}, {1: 5}]
    assert watch.look(10.0, {1: 6}) == {}, "it was heard of"
    # The server, or this process, stood still: the others may have as well.
    for now in (1000.0, 2000.0, 3000.0):
        assert watch.look(now, {1: 6}) == {}
    assert watch.look(4000.0, {1: 6}) == {1: 6}, "four looks in a row are enough"
    watch.forget()
    for now in (4002.0, 4004.0, 4006.0, 4008.0):
        assert watch.look(now, {1: 6}) == {}
    assert watch.look(4010.0, {1: 6}) == {1: 6}
