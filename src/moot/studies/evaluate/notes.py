"""What must be known before relying on the figures of an evaluation."""

from collections.abc import Iterator, Mapping, Sequence

from moot.studies.evaluate.dataset import Item, key_skew
from moot.studies.evaluate.questions import MATCHED, Row
from moot.studies.evaluate.summary import Figures
from moot.studies.template import Note, template_of

MANY = 0.1
"""The share of unparsable answers above which the report warns."""


def notes(
    figures: Figures, foreign: Mapping[str, Sequence[str]], rows: Sequence[Row], items: Sequence[Item]
) -> Iterator[Note]:
    """`foreign` are models that only a debate uses."""
    note, methods = template_of("evaluate").note, figures.methods
    for name, models in foreign.items():
        if models:
            yield note("foreign", name=name, models=models)
    if failed := {method.method: method.grades["failed"] for method in methods if method.grades["failed"]}:
        yield note("failed", asked=figures.done * figures.epochs, failed=failed)
    for method in methods:
        if (unread := method.grades["unparsable"]) > method.right_of_all.n * MANY:
            yield note("unread", unread=unread, asked=method.right_of_all.n, name=method.method)
    if sum(method.kind == "debate" for method in methods) > 1:
        yield note("several_debates")
    if figures.duplicates:
        yield note("repeated", repeated=figures.duplicates, again=sum(row.epoch > 1 for row in rows))
    for name in MATCHED:
        sampled = [row for row in rows if row.method.startswith(f"{name}@") and len(row.answers or ()) > 1]
        alike = sum(row.distinct == 1 for row in sampled)
        if alike > len(sampled) / 2:
            yield note("alike", name=name, alike=alike, sampled=len(sampled))
    yield from _of_options(items)


def _of_options(items: Sequence[Item]) -> Iterator[Note]:
    """Notes on the options of the questions, and on a key that favours one letter."""
    note = template_of("evaluate").note
    if (skew := key_skew(items)) is not None:
        yield note("skewed_key", letter=skew[0], share=skew[1])
    if kept := sum(item.unshuffled for item in items):
        yield note("unshuffled", kept=kept, questions=len(items))
