"""How many parameters a model has, as far as its name says so, which may be that of its file."""

import re

from moot.models.catalogue import CATALOGUE

FEW_PARAMETERS = 4_000_000_000
"""A model with fewer follows a debate, but loses its thread: a duel of such models was won by a debater who had argued
for the other side."""
BILLION, MILLION = 1_000_000_000, 1_000_000
_NO_MODELS = ("human", "scripted", "external", "command", "client")
"""Providers whose model names are chosen by users, and do not show a size."""
_SIZE = re.compile(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z0-9])", re.IGNORECASE)
"""`1.5b` and `360M`, but not `8x7b`, `a3b` and `1bit`."""
_LEAST_MILLIONS = 50
"""Smaller numbers in a name, such as `1m`, are about the tokens that the model can read."""


def parameters_of(model_name: str) -> int | None:
    """The number of parameters; None if it is unknown."""
    provider, _, rest = model_name.partition("/")
    if provider in _NO_MODELS:
        return None
    if model_name in CATALOGUE:
        return CATALOGUE[model_name].parameters
    return _in_name(rest.rpartition("/")[2])


def needs_short_prompts(model_name: str) -> bool:
    """Whether an embedded model is too small for the full prompts. One of 1.5 billion parameters follows them."""
    return (parameters_of(model_name) or BILLION) < BILLION


def is_small(model_name: str) -> bool:
    found = parameters_of(model_name)
    return found is not None and found < FEW_PARAMETERS


def parameters_in_words(number: int) -> str:
    """The size in words, such as “1.5 billion parameters”."""
    unit, word = (BILLION, "billion") if number >= BILLION else (MILLION, "million")
    return f"{round(number / unit, 1 if unit == BILLION else None):g} {word} parameters"


def _in_name(name: str) -> int | None:
    """The largest size in a name; smaller ones are sizes of parts."""
    found = [(float(figure), unit.lower()) for figure, unit in _SIZE.findall(name)]
    billions = [figure for figure, unit in found if unit == "b"]
    millions = [figure for figure, unit in found if unit == "m" and figure >= _LEAST_MILLIONS]
    if billions:
        return round(max(billions) * BILLION)
    return round(max(millions) * MILLION) if millions else None
