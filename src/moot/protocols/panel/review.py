"""The findings of a panel on the idea as it was submitted, computed from its log."""

from collections.abc import Sequence

from moot.present import Finding, Grade
from moot.protocols.panel.findings import settled
from moot.protocols.panel.log import read
from moot.protocols.panel.metrics import Said
from moot.protocols.panel.payloads import Synthesis
from moot.protocols.panel.result import PanelOutcome, required_of
from moot.protocols.panel.shapes import plain_words
from moot.record.entry import Entry


def findings(found: PanelOutcome, entries: Sequence[Entry]) -> list[Finding]:
    """What the panel found in the idea as it was submitted, and the changes that it requires besides."""
    log = read(entries)
    positions = [(name, one) for name, one in log.positions if one.version == 1]
    first = [(name, one) for name, one in log.rulings if one.version == 1]
    last = [(name, one) for name, one in first if one.round == max(each.round for _, each in first)]
    raised = settled(positions, [(name, one.findings) for name, one in last])
    wanted = {plain_words(one.change) for one in raised}
    decision = next((one for one in log.decisions if one.version == 1), None)
    required = required_of(log, decision) if decision else []
    asked = [(text, _asking(text, positions, last)) for text in required]
    others = [(text, names) for text, names in asked if plain_words(text) not in wanted]
    severity: Grade = "serious" if found.changes else "grave"
    return raised + [
        Finding(id=f"R{number}", claim=text, severity=severity, change=text, raised_by=names)
        for number, (text, names) in enumerate(others, 1)
    ]


def _asking(text: str, positions: Sequence[Said], rulings: Sequence[tuple[str, Synthesis]]) -> list[str]:
    """Who asks for a change in these words."""
    asked = [(name, one.modifications) for name, one in positions]
    asked += [(name, one.modifications_required) for name, one in rulings]
    names = [name for name, texts in asked if plain_words(text) in map(plain_words, texts)]
    return list(dict.fromkeys(names))
