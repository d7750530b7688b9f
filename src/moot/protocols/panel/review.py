"""The findings of a panel on the idea as it was submitted, computed from its log."""

from collections.abc import Sequence

from moot.api import Entry
from moot.present import GRADES, Finding, Grade
from moot.protocols.panel.findings import settled
from moot.protocols.panel.log import read
from moot.protocols.panel.metrics import Said
from moot.protocols.panel.payloads import Decision, Synthesis
from moot.protocols.panel.result import PanelOutcome, required_of
from moot.text.prose import plain_words

UNGRADED: Grade = "grave"
"""For a change that no validator graded: the panel was asked for those without which it would not let the idea pass."""


def findings(_: PanelOutcome, entries: Sequence[Entry]) -> list[Finding]:
    """What the panel found in the idea as it was submitted, and the changes that it requires besides."""
    log = read(entries)
    positions = [(name, position) for name, position in log.positions if position.version == 1]
    first = [(name, ruling) for name, ruling in log.rulings if ruling.version == 1]
    last = [(name, one) for name, one in first if one.round == max(each.round for _, each in first)]
    raised = settled(positions, [(name, one.findings) for name, one in last])
    wanted = {plain_words(finding.change) for finding in raised}
    decision = log.decision_on(1)
    required = required_of(log, decision) if decision else []
    others = [text for text in required if plain_words(text) not in wanted]
    graded = _graded([one for _, one in last], decision)
    return raised + [
        Finding(
            id=f"R{number}",
            claim=text,
            severity=graded.get(plain_words(text), UNGRADED),
            change=text,
            raised_by=_asking(text, positions, last),
        )
        for number, text in enumerate(others, 1)
    ]


def _graded(rulings: Sequence[Synthesis], decision: Decision | None) -> dict[str, Grade]:
    """How bad it is to leave a change out, by its words: the worst that a validator says."""
    numbers = {change.number: change.text for change in decision.changes} if decision else {}
    grades = [(wanted.change, wanted.severity) for ruling in rulings for wanted in ruling.modifications_required]
    grades += [
        (numbers[key], grade) for ruling in rulings for key, grade in ruling.severities.items() if key in numbers
    ]
    return {plain_words(text): grade for text, grade in sorted(grades, key=lambda one: GRADES.index(one[1]))}


def _asking(text: str, positions: Sequence[Said], rulings: Sequence[tuple[str, Synthesis]]) -> list[str]:
    """Who asks for a change in these words."""
    asked = [(name, position.modifications) for name, position in positions]
    asked += [(name, ruling.required) for name, ruling in rulings]
    names = [name for name, texts in asked if plain_words(text) in map(plain_words, texts)]
    return list(dict.fromkeys(names))
