"""A chaired debate in batches: its findings."""

from collections.abc import Sequence

from moot.api import Entry
from moot.api.studies import Findings, Study
from moot.protocols.chaired.result import ChairedOutcome


def find(outcome: ChairedOutcome, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    upheld = {"affirmative_wins": True, "negative_wins": False}.get(outcome.outcome or "")
    return Findings(winner=outcome.winner, upheld=upheld, decision=outcome.outcome, ordered=True)


STUDY = Study(
    find=find,
    answers=bool,
    subjects=(),
    unasked="a chaired debate weighs sources that it looks up; it cannot be evaluated on a dataset",
)
