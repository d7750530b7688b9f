"""What a reader must know of the figures of a batch, in sentences: the method and warnings."""

from collections import Counter
from collections.abc import Sequence

from moot.stats import FEWEST, are_few
from moot.studies.batch.analysis import (
    cast_of,
    claim_upheld,
    clusters,
    is_self_play,
    judge_of,
    one_judge,
    topics_of,
    with_claims,
    with_winners,
)
from moot.studies.batch.completeness import MOST_LEVELS, by_value_of, complete, has_failed
from moot.studies.batch.rows import Row

FEW = 30
"""With fewer decided debates than this, intervals cover a third of the scale or more."""
MOST_NAMED = 10
METHOD = (
    "Intervals are of 95 %. Debates on one topic are related, and so are versions of one debate: intervals are "
    "Wilson’s for as many independent debates as say as much, and where few topics differ from the rest those of a "
    "model of how topics differ. Where no topic is repeated, they are those of Feldman and Cousins. Differences "
    "from the overall rate are Newcombe’s, with the correlation of the two shares by topics, and tests are the "
    "exact two-sided ones of the signs of the topics’ sums. A dash stands for an interval or a test that cannot be "
    f"had: both take at least {FEWEST} topics, of which a few must not have most of the debates; the interval of "
    "alpha takes more. p (Holm) is adjusted for all tests of this page, with every debate that failed counted against "
    "what the test finds. Only debates that came to their end are counted in rates, and those that repeat another "
    "word for word only once; a debate without a decision, or an answer that could not be read, is missing and "
    "neither won nor lost, right nor wrong. Every figure is in statistics.json, every debate in rows.csv and "
    "rows.jsonl; recompute.py makes the figures anew."
)


def notes(rows: Sequence[Row], counted: Sequence[Row], done: Sequence[Row]) -> list[str]:
    """`counted` are the rows without repetitions, `done` the finished ones among them."""
    found, ended = [], sum(row.status == "done" for row in rows)
    if ended < len(rows):
        found.append(f"Not at their end, and not counted: {len(rows) - ended} of {len(rows)} debates.")
        if failed := sum(map(has_failed, rows)):
            found.append(
                f"Rates leave out the {failed} that failed or were stopped, which need not be like the others; tests "
                "count each of them against what they find."
            )
        found += _thin(rows)
    if again := len(rows) - len(counted):
        found.append(
            f"{again} of {len(rows)} debates repeat another word for word, because the models always answer the same; "
            "they count once. A temperature (--sampling temperature=0.7) or more topics would tell more."
        )
    contested = [row for row in with_winners(done) if row.contestants]
    measured = bool(contested) or bool(with_claims(done)) or any(row.answer is not None for row in done)
    decided = sum(bool(row.decided) for row in done)
    if measured and decided < FEW:
        found.append(f"Decided debates are few ({decided}): a difference may well be chance.")
    if measured and decided < len(done):
        found.append(f"Without a decision, so missing and not lost: {len(done) - decided} of {len(done)} debates.")
    if contested and all(is_self_play(row) for row in contested):
        found.append("All contestants spoke through the same model, so there are no win rates by model.")
    places = {(one.place, one.side) for row in done for one in row.contestants if one.side}
    if places and len(places) == 2:
        found.append("The same side spoke first in every debate: side and order cannot be told apart (--swap-order).")
    many = [name for name, values in by_value_of(done).items() if len(values) > MOST_LEVELS]
    found += [f"“{name}” has more than {MOST_LEVELS} values, so there is no table by it." for name in many]
    return [*found, *(_related(done) if measured else []), *_seldom(done), *_designed(done)]


def _related(done: Sequence[Row]) -> list[str]:
    """What intervals and tests apply to, if debates are related."""
    groups = topics_of(done)
    topics, casts, found = set(groups.values()), {cast_of(row) for row in done}, []
    if len(topics) == 1 and len(groups) > 1:
        found.append("All debates are about one topic: the figures say nothing of others.")
    elif len(topics) < len(groups):
        each = "debates on one topic are related, so that topics are counted and not debates"
        if len(topics) < FEWEST:
            found.append(
                f"There is no interval and no test: {each}, and {len(topics)} topics say nothing of others. It takes "
                f"{FEWEST} at least, and more topics are worth more than more repeats."
            )
        elif are_few(clusters(done)):
            found.append(f"There is no interval and no test: {each}, and a few of these have most of the debates.")
        else:
            found.append(f"Intervals and tests are for other topics like these {len(topics)}: {each}.")
    if 1 < len(casts) < FEWEST and len(casts) < len(done):
        found.append(f"The figures are about these {len(casts)} casts, and no others.")
    return found


def _seldom(done: Sequence[Row]) -> list[str]:
    """Which judges, or all others, decided too little for an interval of a judge's bias."""
    claims = with_claims(done)
    decided = Counter(judge_of(row) for row in claims if claim_upheld(row) is not None)
    few = [judge for judge, count in decided.items() if judge and min(count, decided.total() - count) < FEWEST]
    if len(decided) < 2 or not few or are_few(clusters(claims)):
        return []
    more = f" and {len(few) - MOST_NAMED} more" if len(few) > MOST_NAMED else ""
    named = f"{', '.join(sorted(few)[:MOST_NAMED])}{more}"
    return [f"The bias has no interval where a judge, or all others, decided fewer than {FEWEST} debates: {named}."]


def _designed(done: Sequence[Row]) -> list[str]:
    found = []
    if any("premise" in row.design for row in done):
        found.append("Where the premise was reversed, upholding the denial counts as rejecting the claim.")
    heard = Counter((row.unit, one_judge(row)) for row in done if row.judge is not None)
    if again := sum(heard.values()) - len(heard):
        found.append(f"Debates held again before the same judge: {again}; not counted in the agreement between judges.")
    if any(row.design for row in done) and not are_few(clusters(done)):
        found.append("For what was swapped, the paired tests are the ones to read.")
    return found


def _thin(rows: Sequence[Row]) -> list[str]:
    """The values of each factor for which no debate is done, or fewer than half of the number expected from the whole
    batch."""
    overall = sum(row.status == "done" for row in rows) / len(rows)
    found = []
    for name, by_value in by_value_of(rows).items():
        levels = [complete(value, several) for value, several in by_value.items()]
        none = [one.value for one in levels if not one.done]
        few = [one.value for one in levels if 0 < one.done < one.planned * overall / 2]
        for what, values in (("None", none), ("Few", few)):
            if values:
                more = f" and {len(values) - MOST_NAMED} more" if len(values) > MOST_NAMED else ""
                named = ", ".join(values[:MOST_NAMED])
                found.append(f"{what} done, of {len(levels)} values of “{name}”, with: {named}{more}.")
    return found
