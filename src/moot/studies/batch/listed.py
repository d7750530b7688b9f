"""The debates of a batch by name: what each answered, and those that did not end well."""

from collections.abc import Sequence

from moot.present import Item, Items, Table
from moot.studies.batch.rows import Row
from moot.studies.page import Part
from moot.text import one_line

MOST_LISTED = 50


def answers_part(rows: Sequence[Row]) -> list[Part]:
    """The answer of each debate that is done, beside its question."""
    done = [[one_line(row.topic), row.headline] for row in rows if row.status == "done" and row.headline]
    lead = f"The first {MOST_LISTED}; the others are in rows.csv." if len(done) > MOST_LISTED else ""
    table = Table(["Question", "Answer"], done[:MOST_LISTED], texts=2, name="Answers, as a table")
    return [Part("each", "Answers", lead, [table])] if done else []


def troubles_part(rows: Sequence[Row]) -> Part:
    ill = [row for row in rows if row.status in ("failed", "limit", "interrupted")]
    told = [f"{row.id} {row.status}{f': {row.reason}' if row.reason else ''}" for row in ill[:MOST_LISTED]]
    if len(ill) > MOST_LISTED:
        told.append(f"… and {len(ill) - MOST_LISTED} more, in rows.csv")
    listed = Items([Item(text) for text in told], otherwise="Every debate that was begun has come to its end.")
    return Part("trouble", "What did not end well", "", [listed], count=len(ill))
