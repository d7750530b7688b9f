"""What a reader must know of the figures of a batch before relying on them."""

from collections.abc import Iterator, Sequence

from moot.stats import FEWEST, are_few
from moot.studies.batch.analysis import (
    cast_of,
    clusters,
    is_self_play,
    topics_of,
    with_claims,
    with_winners,
)
from moot.studies.batch.rows import MOST_LEVELS, Row, by_value_of, has_failed
from moot.studies.template import Note, template_of

FEW = 30
"""With fewer decided debates than this, intervals cover a third of the scale or more."""


def notes(rows: Sequence[Row], counted: Sequence[Row], done: Sequence[Row]) -> Iterator[Note]:
    """`counted` are the rows without repetitions, `done` the finished ones among them."""
    note, ended = template_of("batch").note, sum(row.status == "done" for row in rows)
    if ended < len(rows):
        yield note("unfinished", missing=len(rows) - ended, planned=len(rows))
        if failed := sum(map(has_failed, rows)):
            yield note("failed", failed=failed)
        yield from _thin(rows)
    if again := len(rows) - len(counted):
        yield note("repeated", again=again, planned=len(rows))
    yield from _decided(done)
    if any("claim" in row.design for row in done):
        yield note("reversed")
    if any(row.design for row in done) and not are_few(clusters(done)):
        yield note("paired")


def _decided(done: Sequence[Row]) -> Iterator[Note]:
    note, contested = template_of("batch").note, [row for row in with_winners(done) if row.contestants]
    measured = bool(contested) or bool(with_claims(done)) or any(row.answer is not None for row in done)
    decided = sum(bool(row.decided) for row in done)
    if measured and decided < FEW:
        yield note("few_decided", decided=decided)
    if measured and decided < len(done):
        yield note("undecided", undecided=len(done) - decided, done=len(done))
    if contested and all(is_self_play(row) for row in contested):
        yield note("one_model")
    if (
        len({(contestant.place, contestant.side) for row in done for contestant in row.contestants if contestant.side})
        == 2
    ):
        yield note("side_is_order")
    for name, values in by_value_of(done).items():
        if len(values) > MOST_LEVELS:
            yield note("many_values", factor=name, most=MOST_LEVELS)
    if measured:
        yield from _related(done)


def _related(done: Sequence[Row]) -> Iterator[Note]:
    """What intervals and tests apply to, if debates are related."""
    note, groups = template_of("batch").note, topics_of(done)
    topics, casts = set(groups.values()), {cast_of(row) for row in done}
    if len(topics) == 1 and len(groups) > 1:
        yield note("one_topic")
    elif len(topics) < len(groups):
        few = len(topics) < FEWEST
        code = "few_topics" if few else "uneven_topics" if are_few(clusters(done)) else "topics"
        yield note(code, topics=len(topics), fewest=FEWEST)
    if 1 < len(casts) < FEWEST and len(casts) < len(done):
        yield note("casts", casts=len(casts))


def _thin(rows: Sequence[Row]) -> Iterator[Note]:
    """The values of each factor for which no debate is done, or fewer than half of the number expected from the whole
    batch."""
    overall = sum(row.status == "done" for row in rows) / len(rows)
    for name, by_value in by_value_of(rows).items():
        done = {value: sum(row.status == "done" for row in several) for value, several in by_value.items()}
        none = [value for value, number in done.items() if not number]
        few = [value for value, several in by_value.items() if 0 < done[value] < len(several) * overall / 2]
        for code, values in (("none_done", none), ("few_done", few)):
            if values:
                yield template_of("batch").note(code, factor=name, levels=len(by_value), values=values)
