"""What can be done with a debate that was read, and why the last attempt was refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.engine.define.capabilities import Rejudge
from moot.engine.define.protocol import why_no_rejudge
from moot.engine.outcome.material import Material
from moot.runs.tags import tags_of
from moot.web.again_form import can_swap
from moot.web.start_form import offer_of


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was tried, such as `ask`, why it was refused, and what was typed."""

    what: str
    why: str
    form: Mapping[str, str]


def afterwards(material: Material) -> dict[str, Any]:
    """What can be done with this debate. `last` is its last entry; `judged` why it cannot be judged again."""
    run, protocol = material.run, material.run.config.protocol
    judges = [member for member in material.header.cast if member.role == "judge"] if material.header else []
    return {
        "done": material.result.status == "done" and not protocol.missing,
        "last": len(material.entries) - 1,
        "again": offer_of({"protocol": protocol.name}) is not None,
        "swap": can_swap(run),
        "judged": None if protocol.get(Rejudge) else why_no_rejudge(protocol),
        "judge": ", ".join(judges[0].models) if judges else "",
        "tags": tags_of(run),
        "can_discard": run.folder is not None and run.known_as is None,
    }
