from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.models.pacing import LATENESS, interval
from moot.queue.pacing import AHEAD, SOON, Block, Taken, next_block
from tests.kit.pacing import most_in_a_minute


class Row:
    """The row of an endpoint, as workers find it one after the other."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self.free = 0.0
        self.had = [0] * 4
        self.given: list[float] = []

    def take(self, now: float, wanted: Sequence[int], mine: int) -> Block:
        had = self.had[: len(wanted)]
        block, self.free, self.had[mine] = next_block(self.free, now, self.rate, wanted, had, mine)
        self.given += [block.first + number * block.step for number in range(block.count)]
        return block


@given(
    st.sampled_from([1, 7, 60, 61, 500, 3000]),
    st.lists(
        st.tuples(
            st.integers(0, 2), st.sampled_from([0.0, 0.05, 0.3, 0.5, 3.0]), st.integers(0, 60), st.floats(0, 0.2)
        ),
        max_size=200,
    ),
)
def test_no_minute_sees_more_than_the_rate_over_all_workers(
    rate: int, steps: list[tuple[int, float, int, float]]
) -> None:
    """Whoever renews when, whatever it wants, however long the database takes to answer, and if it then uses nothing
    until it must: the times are its own, and are used in their second."""
    row, now, starts = Row(rate), 1000.0, []
    hands, wanted = [Taken() for _ in range(3)], [0, 0, 0]
    for worker, pause, want, delay in steps:
        now += pause
        wanted[worker] = want
        block = row.take(now, wanted, worker)
        assert block.count <= want
        block.first += delay  # by the worker's clock, which has seen the answer only now
        block.slack -= delay
        hands[worker].add(block)
        now += delay
        for hand, many in zip(hands, wanted, strict=True):
            for _ in range(many):
                if hand.wait(now) <= 0:
                    hand.take()
                    starts.append(now)
    assert all(later - sooner >= interval(rate) - 1e-6 for sooner, later in zip(row.given, row.given[1:], strict=False))
    assert most_in_a_minute(starts) <= rate


@pytest.mark.parametrize("rate", [1, 7, 60, 500])
def test_not_even_if_the_first_are_used_as_late_as_they_may(rate: int) -> None:
    row, hand, starts = Row(rate), Taken(), []
    for tick in range(1300):
        now = tick * 0.05
        hand.add(row.take(now, [rate], 0))
        while now > LATENESS - 0.1 and hand.wait(now) <= 0:
            hand.take()
            starts.append(now)
    assert most_in_a_minute(starts) == rate


@given(st.sampled_from([10, 60, 600]), st.integers(2, 4), st.floats(0.0, 0.01))
def test_nobody_starves_and_nothing_is_lost(rate: int, workers: int, apart: float) -> None:
    """All renew twice a second, each right after the other, and want more than there is."""
    row, got, now = Row(rate), [0] * workers, 0.0
    while sum(got) < 10 * workers:
        for mine in range(workers):
            got[mine] += row.take(now + mine * apart, [50] * workers, mine).count
        now += 0.5
    assert max(got) - min(got) <= 1 + AHEAD / interval(rate) / workers
    assert row.given[-1] <= sum(got) * interval(rate), "every time is somebody's before it comes"


def test_what_a_dead_worker_should_have_taken_goes_to_others() -> None:
    row = Row(6)
    assert row.take(0.0, [1, 1], 0).count == 1
    assert row.take(row.free - AHEAD / 2, [1, 1], 0).count == 0, "it is the turn of the other"
    assert row.take(row.free - SOON / 2, [1, 1], 0).count == 1, "who has not come for it"


def test_nothing_is_lost_with_a_dead_worker_but_what_it_had() -> None:
    row, now = Row(600), 0.0
    row.take(now, [50, 50], 0)
    had = len(row.given)
    for _ in range(100):
        row.take(now, [50, 50], 1)
        now += 0.1
    assert had <= AHEAD / interval(600) / 2 + 1
    assert len(row.given) >= int(now / interval(600))


def test_who_was_idle_is_not_owed_for_it() -> None:
    row, now, got = Row(600), 0.0, [0, 0]
    for wanted in [[0, 50]] * 100 + [[50, 50]] * 10:
        for mine in (0, 1):
            got[mine] += row.take(now, wanted, mine).count
        now += 0.5
        if wanted[0] == 0:
            got = [0, 0]
    assert got[1] >= got[0] - 2 * AHEAD / interval(600) > 0


def test_times_are_not_kept_for_later() -> None:
    hand = Taken()
    hand.add(Block(10.0, 5, 0.1))
    hand.add(Block(20.0, 1, 0.1))
    assert hand.wait(now=9.0) == 1.0
    assert hand.left(10.0 + LATENESS) == 6
    assert hand.left(10.25 + LATENESS) == 3
    assert hand.wait(now=15.0) == 5.0
    hand.take()
    assert hand.left(15.0) == 0
    hand.add(Block(30.0, 1, 0.1, slack=-0.1))
    assert hand.left(15.0) == 0, "the answer came too late to use it"


def test_a_clock_that_was_set_back_stops_nobody_for_long() -> None:
    row = Row(60)
    row.free = 5000.0
    assert row.take(1000.0, [1], 0).count == 0
    assert row.take(1000.0 + interval(60) + AHEAD, [1], 0).first <= 1000.0 + interval(60) + AHEAD
    assert len(row.given) == 1
