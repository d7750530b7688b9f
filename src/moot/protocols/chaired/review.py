"""The rulings of the chair as findings: what is wrong with what was said in a debate."""

from collections.abc import Sequence

from moot.present import Finding, Grade
from moot.protocols.chaired.payloads import Redaction, Ruling
from moot.protocols.chaired.record import readable, taken_back
from moot.protocols.chaired.result import ChairedOutcome, is_within
from moot.protocols.chaired.rules import record_of, target_of
from moot.record.entry import Entry

GRADES: dict[str, Grade] = {"source": "serious", "quotation": "serious", "unsourced": "serious", "challenge": "serious"}
"""How bad a ruling is, by what it is about; others are about form."""


def findings(_: ChairedOutcome, entries: Sequence[Entry]) -> list[Finding]:
    """Every ruling against a debater. What was withdrawn since has left the debate, and so has its finding."""
    own = readable([entry for entry in entries if not entry.outside])
    withdrawn, sentences = record_of(own).withdrawn, taken_back(own)
    found = []
    for entry in own:
        if not isinstance(entry.data, Ruling | Redaction) or entry.data.against is None:
            continue
        sentence = getattr(entry.data, "sentence", None)
        gone = target_of(entry) in withdrawn or (
            sentence is not None and is_within(sentence, sentences.get(target_of(entry), ()))
        )
        grave = isinstance(entry.data, Redaction)
        found.append(
            Finding(
                id=f"#{entry.seq}",
                claim=entry.content,
                severity="grave" if grave else GRADES.get(getattr(entry.data, "about", ""), "minor"),
                raised_by=[entry.speaker],
                withdrawn_by=[entry.data.against] if gone else [],
                state="withdrawn" if gone else "open",
            )
        )
    return found
