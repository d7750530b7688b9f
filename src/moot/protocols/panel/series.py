"""Many ideas, judged one after the other, those accepted so far being shown to the panel."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from moot.engine.protocol import Series
from moot.errors import ConfigError
from moot.present import Block
from moot.protocols.panel.batch import told
from moot.protocols.panel.callers import summarise_panels
from moot.protocols.panel.result import PanelOutcome
from moot.result import Result


def settings(line: Any) -> dict[str, Any]:
    """A line holds a text, or an object with the idea and the label that is known to be right for it."""
    given = line if isinstance(line, dict) else {"idea": line}
    unknown = given.keys() - {"idea", "truth"}
    if not given.get("idea") or not isinstance(given["idea"], str | dict) or unknown:
        raise ConfigError('should be a text, or {"idea": …, "truth": LABEL}', "idea")
    return {key: value for key, value in given.items() if value is not None}


def carry(results: Sequence[Result]) -> dict[str, Any]:
    """The ideas that were accepted so far."""
    outcomes = [one.outcome for one in results if one.status == "done" and isinstance(one.outcome, PanelOutcome)]
    accepted = [one.idea for one in outcomes if one.accepted]
    return {"accepted": accepted} if accepted else {}


def sum_up(results: Sequence[Result]) -> tuple[BaseModel, list[Block]]:
    summary = summarise_panels(results)
    return summary, told(results, summary)


SERIES = Series(settings, carry, sum_up)
