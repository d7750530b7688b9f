"""The part of a journal that a fork takes over."""

from collections.abc import Collection, Sequence

from moot.engine.play.frame import FRAMED_BY
from moot.record.entry import Entry
from moot.record.journal import GAVE_UP, Record

KEPT = ("draw/", "world/", f"fact/{FRAMED_BY}")
"""The beginnings of the keys of facts that replies depend on: draws, facts about the world, and who said what the
question asks."""


def inherited(records: Sequence[Record], entries: Sequence[Entry], at: int) -> list[Record]:
    """The records that the entries up to `at` depend on: for each agent, all up to its last reply among them, and of
    the calls that make no entry those that were answered before, while nothing was that is left out here.

    Draws are included, because cast and order come from them, and so are facts about the world and who said what the
    question asks, because replies depend on them. Facts about the other run alone are not.
    """
    calls, later = ({entry.call for entry in some} - {None} for some in (entries[: at + 1], entries[at + 1 :]))
    of = [_call_of(record, calls | later) for record in records]
    last = {record.agent: index for index, record in enumerate(records) if of[index] in calls}
    lost = [index for index, call in enumerate(of) if call in later and index > last.get(records[index].agent, -1)]
    before = min([max(last.values(), default=-1), *lost])
    return [
        record
        for index, record in enumerate(records)
        if (record.agent is None and record.key.startswith(KEPT))
        or index <= last.get(record.agent, -1)
        or (record.agent is not None and of[index] is None and index < before)
    ]


def _call_of(record: Record, calls: Collection[str | None]) -> str | None:
    """The call that made an entry, to which this record belongs: itself, or a look at its reply."""
    key = record.key.removesuffix(GAVE_UP)
    return next((one for one in (key, key.rpartition("/")[0]) if one in calls), None)
