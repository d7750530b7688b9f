"""The typed payloads that entries carry in `data`: one class for each entry type that has one.

This is the whole vocabulary of the log, a module for each protocol. A reader that knows an entry's type knows its
payload; folds over the log match on these classes. A payload that stands for something missing says why in `failure`.
"""

from typing import Any

from moot.payloads import arena, base, chaired, duel, panel, persuasion, rejudging
from moot.payloads.base import CHOSEN, Header, Member, Outside, Payload, Side, Summary, Switch

__all__ = ["CHOSEN", "PAYLOADS", "Header", "Member", "Outside", "Payload", "Side", "Summary", "Switch", "read_payload"]

PAYLOADS: dict[str, type[Payload] | None] = {
    **base.PAYLOADS,
    **duel.PAYLOADS,
    **chaired.PAYLOADS,
    **panel.PAYLOADS,
    **persuasion.PAYLOADS,
    **arena.PAYLOADS,
    **rejudging.PAYLOADS,
}
"""Which payload each entry type carries; None for a type that carries none."""


def read_payload(entry_type: str, value: Any) -> Payload | None:
    """The typed payload of an entry as it stands in the log; ValueError for a type or shape not in the vocabulary."""
    if entry_type not in PAYLOADS:
        raise ValueError(f"unknown entry type {entry_type!r}")
    if value is None:
        return None
    if isinstance(value, dict) and "outside" in value:
        return Outside.model_validate(value)
    payload = PAYLOADS[entry_type]
    if payload is None:
        raise ValueError(f"an entry of type {entry_type!r} carries no data")
    return payload.model_validate(value)
