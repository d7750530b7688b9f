"""The sections of independent answers, as the baselines of an evaluation are made of: who said what, and no verdict."""

from moot.entry import Entry
from moot.evaluation.answers import AnswersOutcome
from moot.report.page import Material
from moot.report.transcript import Look, transcript


def sections(material: Material) -> dict[str, object]:
    """What the templates of independent answers show beside what every report has."""
    found = material.result.outcome
    given = len(found.answers) if isinstance(found, AnswersOutcome) else 0
    asked = len(material.header.cast) if material.header else 0
    return {
        "headline": f"{given} of {asked} answered, none of whom heard of another",
        "transcript": transcript(material, _described),
    }


def _described(entry: Entry) -> Look | None:
    return Look("statement", "answers") if entry.type == "note" else None
