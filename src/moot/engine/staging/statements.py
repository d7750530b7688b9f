"""Which replies of a debate will be public statements, known from a rehearsal, so that readers can be shown them while
they are being written."""

from collections.abc import Mapping
from dataclasses import dataclass

from moot.engine.define.config import RunConfig
from moot.engine.define.plain import guarded_lines, plain_line
from moot.engine.staging.plan import Rehearsal, Stage, rehearse
from moot.models.registry import check_name


@dataclass(frozen=True, slots=True)
class Statement:
    """A reply that becomes a public statement. `field` is the field of a structured reply with which its text begins;
    None for prose."""

    speaker: str
    field: str | None


async def statements(config: RunConfig) -> dict[str, Statement]:
    """The public statements of this debate by the key of the call, as far as they are known before it. Others may turn
    up, and some of these may not. Calls no model."""
    rehearsal = Rehearsal(None, config.options.prices, marked=True)
    await rehearse(config, rehearsal, Stage(check_name))
    lines = guarded_lines(config.protocol.lines)
    found: dict[str, Statement] = {}
    for number, draft in enumerate(rehearsal.written):
        entry = draft.at(number, "")
        shown = lines(entry) or plain_line(entry)
        text = entry.content if shown.text is None else shown.text
        marks = rehearsal.marks.get(entry.call or "", {})
        if entry.call and entry.to == "all" and (field := _begun_with(text, marks)) is not None:
            found[entry.call] = Statement(entry.speaker, field or None)
    return found


def _begun_with(text: str, marks: Mapping[str, str]) -> str | None:
    """The field whose mark the text begins with; "" is that of prose."""
    return next((field for field, mark in marks.items() if text.startswith(mark)), None)
