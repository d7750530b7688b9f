"""Marks a config as that of a stored run: the things it names existed then, but might not exist now."""

from pydantic import ValidationInfo

FROZEN = {"frozen": True}
"""The validation context for reading a stored config."""


def is_frozen(info: ValidationInfo) -> bool:
    return info.context == FROZEN
