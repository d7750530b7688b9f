"""What of a run is judged again: what its judges could see, and the votes as they were cast. Which that is, is its
protocol's to say.

Private thoughts, plans and the original judges' own words are left where they are.
"""

from collections.abc import Sequence
from typing import Any

from moot.engine.runs import Run
from moot.errors import ConfigError
from moot.record.entry import Entry


def can_be_judged(run: Run) -> None:
    """ConfigError for a run whose protocol leaves nothing that could be judged again, saying what there is instead."""
    why = run.config.protocol.rejudge
    if isinstance(why, str):
        raise ConfigError(f"{run.name} cannot be judged again: {why}")


def material_of(run: Run, entries: Sequence[Entry]) -> dict[str, Any]:
    """The part of a re-judging's config that holds the debate."""
    make = run.config.protocol.rejudge
    if isinstance(make, str):
        raise ConfigError(f"{run.name} cannot be judged again: {make}")
    return make(run, entries)
