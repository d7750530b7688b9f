"""A debate as far as it has come, in the terms of its report: for pages that show it while it is going on."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from moot.protocols.persuasion.result import PersuasionOutcome
from moot.report import sections_of
from moot.report.page import Material, Table, gather
from moot.report.persuasion import Round, Row, scores_told
from moot.result import fold
from moot.runs import Run

FIGURES: Mapping[str, tuple[str, ...]] = {
    "duel": ("chart", "score_table"),
    "panel": ("chart", "agreement"),
    "arena": ("strip", "drift", "similarity", "votes", "raw_votes"),
}
"""Which of a protocol's sections are worth watching as they grow. A dialogue's map has a place of its own."""
VERDICTS = ("verdict", "decision", "judgement", "outcome", "conclusion")
"""The entry types that tell what a debate came to."""


@dataclass(frozen=True, slots=True)
class ArgumentMap:
    """The map, each argument a link to the entry that put it forward; and the same as tables."""

    picture: Markup
    arguments: Table
    relations: Table
    scores: str


@dataclass(frozen=True, slots=True)
class Progress:
    """`rows` are the entries that readers may see, by the phase or round they belong to; `figures` fill the body of
    the protocol's report template."""

    material: Material
    rounds: list[Round]
    figures: dict[str, object]
    map: ArgumentMap | None


def so_far(run: Run) -> Progress:
    """What the files of a run amount to now. No model is asked, nothing is replayed, nothing is written."""
    files = run.entries(), run.records()
    material = gather(run, fold(run, "interrupted", None, 0, files))
    protocol = material.result.protocol
    sections = sections_of(protocol)(material)
    kept = {name: sections[name] if name in FIGURES.get(protocol, ()) else None for name in sections}
    return Progress(material, _rounds(sections), kept, _map(material, sections))


def _rounds(sections: dict[str, object]) -> list[Round]:
    if isinstance(rounds := sections.get("rounds"), list):
        return rounds
    grouped: list[Round] = []
    items = sections.get("transcript")
    for item in items if isinstance(items, list) else []:
        title = item.entry.phase.capitalize()
        if not grouped or (grouped[-1].title != title and not item.entry.outside):
            grouped.append(Round(title, []))
        grouped[-1].rows.append(Row(item, None, "", [], item.entry.speaker))
    return grouped


def _map(material: Material, sections: dict[str, object]) -> ArgumentMap | None:
    outcome, picture = material.result.outcome, sections.get("picture")
    arguments, relations = sections.get("arguments"), sections.get("relations")
    if not isinstance(outcome, PersuasionOutcome) or not isinstance(picture, Markup):
        return None
    assert isinstance(arguments, Table) and isinstance(relations, Table)  # noqa: S101 (they come with the picture)
    return ArgumentMap(picture, arguments, relations, scores_told(outcome))
