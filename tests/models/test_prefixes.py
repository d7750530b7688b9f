"""Which beginnings of requests are marked for a cache that bills: when keeping one pays, and when it does not."""

from contextlib import suppress

from moot.models.prefixes import Prefixes

RECORD = "A sentence of the record.\n\n" * 300
LONGER = RECORD + "A sentence that came later.\n\n" * 400


def send(prefixes: Prefixes, text: str) -> tuple[int, ...]:
    with prefixes.sending(text) as marks:
        return marks


def ended(record: str) -> int:
    """Where a mark stands: before the last break of a paragraph."""
    return len(record.rstrip())


def test_what_requests_have_in_common_is_kept_by_the_second_and_read_from_then_on() -> None:
    prefixes = Prefixes()
    assert send(prefixes, f"{RECORD}Judge it.") == ()
    (kept,) = send(prefixes, f"{RECORD}Answer it.")
    assert RECORD.startswith(f"{RECORD}Answer it."[:kept]) and kept > len(RECORD) - 5
    assert send(prefixes, f"{RECORD}Doubt it.") == (kept,)


def test_what_grows_is_read_as_far_as_it_is_kept() -> None:
    prefixes = Prefixes()
    for record in (RECORD, LONGER):
        send(prefixes, f"{record}Judge it.")
        marks = send(prefixes, f"{record}Answer it.")
    assert marks == (ended(RECORD), ended(LONGER))


def test_little_is_not_worth_it() -> None:
    prefixes = Prefixes()
    assert send(prefixes, "A short rule.\n\nJudge it.") == ()
    assert send(prefixes, "A short rule.\n\nAnswer it.") == ()


def test_a_call_that_fails_has_kept_nothing() -> None:
    prefixes = Prefixes()
    with suppress(RuntimeError), prefixes.sending(f"{RECORD}Judge it."):
        raise RuntimeError
    assert not (prefixes.kept or prefixes.written or prefixes.answered)


def test_what_all_requests_begin_with_is_kept_by_the_first() -> None:
    prefixes, shared = Prefixes(), len(RECORD)
    with (
        prefixes.sending(f"{RECORD}One.", shared) as first,
        prefixes.sending(f"{RECORD}Two.", shared) as beside,
        prefixes.sending(f"{RECORD}Three, and more.", shared, goes_on=True) as going_on,
    ):
        assert (first, beside, going_on) == ((shared,), (), ())
    with prefixes.sending(f"{RECORD}One.\0Reply.\0Next.", shared, goes_on=True) as marks:
        assert marks == (shared,), "it is read, also where a conversation goes on"
    assert send(prefixes, f"{RECORD}Four.") == (shared,)
    with prefixes.sending("Short.\n\nOne.", 5) as little:
        assert little == ()
