"""How long things are remembered."""

from datetime import UTC, datetime, timedelta

from moot.memory.tiers import NAMES, Trace

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_memory_fades_by_its_tier_and_moves_up_when_it_is_used() -> None:
    trace = Trace("fast", NOW)
    assert trace.strength(NOW) == 1
    assert trace.strength(NOW + timedelta(hours=2)) == 0.25
    assert trace.strength(NOW - timedelta(days=1)) == 1, "a clock that was set back does no harm"
    for tier in (*NAMES[1:], NAMES[-1]):
        trace = trace.used(NOW + timedelta(days=1))
        assert trace == Trace(tier, NOW + timedelta(days=1))
    assert trace.strength(NOW + timedelta(days=31)) == 0.5
