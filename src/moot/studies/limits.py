"""The limits of a study. They are stored in its folder, so that going on later keeps them."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from moot.cli.limits import figure_of
from moot.engine.define.config import checked
from moot.engine.play.limits import Limits
from moot.record.files import read_file, write_whole
from moot.studies.runner import read_object

STORED = "limits.json"
LEAST: dict[str, float] = {"max_calls": 100, "max_tokens": 100_000, "max_cost": 1, "max_minutes": 5}
"""The least to which a limit should be raised."""


class TotalLimits(BaseModel):
    """What all runs of a study may use together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_calls: int | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=0)
    max_cost: float | None = Field(None, ge=0, allow_inf_nan=False)
    max_minutes: float | None = Field(None, ge=0, allow_inf_nan=False)

    @property
    def limits(self) -> Limits:
        return Limits(self.max_calls, self.max_tokens, self.max_cost, self.max_minutes)


def stored_limits(folder: Path) -> TotalLimits | None:
    """The limits with which the study in this folder was last run; None if it was not."""
    path = folder / STORED
    return None if read_file(path) is None else checked(TotalLimits, read_object(path), str(path))


def store_limits(folder: Path, limits: Limits) -> None:
    write_whole(folder / STORED, TotalLimits(**asdict(limits)).model_dump_json(exclude_none=True).encode())


def given_over(stored: TotalLimits | None, given: dict[str, Any]) -> Limits:
    """The stored limits, with those that are given now."""
    kept = stored.model_dump() if stored else {}
    return TotalLimits.model_validate(kept | {name: value for name, value in given.items() if value is not None}).limits


def raised(limit: str, allowed: float, needed: float = 0) -> str:
    """The option that raises the limit at which a study stopped, to twice the value and at least to what is needed."""
    return f"--{limit.replace('_', '-')} {figure_of(max(2 * allowed, needed, LEAST[limit]))}"
