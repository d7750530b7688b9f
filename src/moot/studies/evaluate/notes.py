"""Warnings about the figures of an evaluation, in sentences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

from moot.studies.evaluate.dataset import Item, key_skew
from moot.studies.evaluate.questions import SAMPLED, Row
from moot.studies.evaluate.summary import Figures

FEWEST_LETTERS = 8
"""Answers with options from which on a note says if a method favours one letter."""
MANY = 0.1
"""The share of unparsable answers above which the report warns."""


def notes(
    figures: Figures, foreign: Mapping[str, Sequence[str]], rows: Sequence[Row], items: Sequence[Item]
) -> list[str]:
    """Warnings for the reader of the figures. `foreign` are models that only a debate uses."""
    methods = figures.methods
    found = [
        f"{name} has models that not every baseline speaks through ({', '.join(models)}): a difference may be theirs."
        for name, models in foreign.items()
        if models
    ]
    if failed := {one.method: one.grades["failed"] for one in methods if one.grades["failed"]}:
        told = ", ".join(f"{name} on {number}" for name, number in failed.items())
        found.append(
            f"Methods failed on some of {figures.done * figures.epochs} questions: {told}. These are in no share, and "
            "a verdict has to hold whatever they would have come to. The same command asks them again."
        )
    for one in methods:
        if (lost := one.grades["unparsable"]) > one.right_of_all.n * MANY:
            asked = one.right_of_all.n
            found.append(f"{lost} of {asked} answers of {one.method} cannot be read: they are neither right nor wrong.")
    if sum(one.kind == "debate" for one in methods) > 1:
        found.append(
            "Several debates are compared: they share the level of the tests, and the best of several looks better "
            "than it is."
        )
    return [*found, *_sameness(figures, rows), *_always_one_letter(items, rows)]


def _sameness(figures: Figures, rows: Sequence[Row]) -> list[str]:
    """Notes on repeated questions that gave nothing new."""
    found = []
    if figures.duplicates:
        again = sum(row.epoch > 1 for row in rows)
        found.append(
            f"{figures.duplicates} of {again} further tries repeat an earlier try at their question word for word. "
            "Questions are counted, not tries."
        )
    sampled = [row for row in rows if row.method.startswith(SAMPLED) and row.calls > 1]
    alike = sum(row.distinct == 1 for row in sampled)
    if sampled and alike > len(sampled) / 2:
        found.append(
            f"All samples of {SAMPLED} are word for word the same on {alike} of {len(sampled)} questions, so that it "
            "is one answer: set a temperature (--sampling temperature=0.7)."
        )
    return found


def _always_one_letter(items: Sequence[Item], rows: Sequence[Row]) -> list[str]:
    """Notes on a key or a method that favours one letter."""
    found = []
    if (skew := key_skew(items)) is not None:
        letter, share = skew
        found.append(
            f"{letter} is the right option on {share:.0%} of the questions with options, so that always answering it "
            "looks like knowing: --shuffle-options puts them into an order by lot."
        )
    if kept := sum(item.unshuffled for item in items):
        found.append(f"{kept} of {len(items)} questions keep the order of their options, as their rows say.")
    for method in dict.fromkeys(row.method for row in rows):
        answered = [row for row in rows if row.method == method and row.match == "choice" and row.answer]
        found += _favourite(method, answered) if len(answered) >= FEWEST_LETTERS else []
    return found


def _favourite(method: str, rows: Sequence[Row]) -> list[str]:
    """A note if a method answers one letter more often than the key explains, by three standard errors."""
    said = Counter(row.answer or "" for row in rows)
    key = {letter: sum(letter in row.truth.split(" | ") for row in rows) for letter in said}
    letter = max(said, key=lambda one: said[one] - key[one])
    share = key[letter] / len(rows)
    if len(said) == 1:
        return [f"{method} answers {letter} to every question with options."]
    if said[letter] - key[letter] <= 3 * sqrt(len(rows) * max(share * (1 - share), 1 / len(rows))):
        return []
    told = f"{method} answers {letter} to {said[letter]} of {len(rows)} questions with options"
    return [f"{told}, and {letter} is right on {key[letter]}."]
