"""The protocol's part of a receipt, for protocols that only have to list a few fields."""

from collections.abc import Callable
from typing import Any

from moot.api import Material
from moot.api.capabilities import ReceiptFields


def listed_fields(rule: str | Callable[[Material], Any], *fields: str) -> ReceiptFields:
    """The deciding rule in words or in figures, and these fields of the outcome."""

    def of(material: Material) -> dict[str, Any]:
        outcome = material.result.outcome
        found = outcome.model_dump(mode="json", include=set(fields)) if outcome is not None else {}
        return {"rule": rule if isinstance(rule, str) else rule(material), **{name: found.get(name) for name in fields}}

    return ReceiptFields(of)
