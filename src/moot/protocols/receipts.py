"""The protocol's part of a receipt, for protocols that only have to list a few fields."""

from collections.abc import Callable
from typing import Any

from moot.engine.outcome.material import Material


def told_by(rule: str, *fields: str) -> Callable[[Material], dict[str, Any]]:
    """The protocol's part of a receipt: the deciding rule in words, and these fields of the outcome."""

    def receipt(material: Material) -> dict[str, Any]:
        outcome = material.result.outcome
        found = outcome.model_dump(mode="json", include=set(fields)) if outcome is not None else {}
        return {"rule": rule, **{name: found.get(name) for name in fields}}

    return receipt
