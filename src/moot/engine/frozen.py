"""Whether a config is that of a run that is read back: what it names was there once, and need not be here now."""

from pydantic import ValidationInfo

FROZEN = {"frozen": True}
"""For validators, while a config is read back."""


def is_frozen(info: ValidationInfo) -> bool:
    return info.context == FROZEN
