"""The result of a run as stored in its file, validated, for code that reads many runs without replaying them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ConfigDict, ValidationError

from moot.engine.define.gate import Gate
from moot.errors import RunDamaged
from moot.present import Flag, Summary
from moot.present.data import Model, first_fault
from moot.record.stores.base import RESULT
from moot.text.json import parse_json

if TYPE_CHECKING:
    from moot.engine.staging.runs import Run

APART = ("brief", "flags")
"""The parts of a summary that are at the top level of a result document."""
Status = Literal["done", "limit", "failed", "interrupted"]


class Spent(Model):
    """Replies, with the tokens and dollars for them and for failed attempts; null if a model did not report them.
    `thinking` is how much of the output is known to be thoughts."""

    calls: int = 0
    input: int | None = 0
    cached: int | None = 0
    output: int | None = 0
    cost: float | None = 0.0
    thinking: int = 0


class Receipt(Model):
    """Hashes of the sources of the result. The hash of the log is that of its last line, which is chained to all
    earlier ones."""

    entries: int
    log_sha256: str
    calls_sha256: str
    config_sha256: str


def whole_summary(document: Mapping[str, Any]) -> Any:
    """The summary in a result document, with its parts that are at the top level there."""
    summary = document.get("summary")
    return {**summary, **{key: document.get(key) for key in APART}} if isinstance(summary, dict) else summary


class StoredResult(Model):
    """The common fields of `result.json` for any protocol. `topic` is None if the protocol's part has no topic."""

    model_config = ConfigDict(frozen=True)

    protocol: str
    status: Status
    reason: str | None
    summary: Summary
    spent: Spent
    seconds: float
    receipt: Receipt
    gate: Gate | None = None
    topic: str | None = None

    @property
    def flags(self) -> list[Flag]:
        return self.summary.flags


def readable_result(run: "Run") -> StoredResult | None:
    """The stored result; None if it is missing or damaged."""
    try:
        return stored_result(run)
    except RunDamaged:
        return None


def stored_result(run: "Run") -> StoredResult | None:
    """The stored result; None before it exists, RunDamaged if the file is invalid."""
    content = run.place.read(RESULT)
    if not content:
        return None
    try:
        document = parse_json(content)
        if isinstance(document, dict):
            document = {**document, "summary": whole_summary(document)}
        return StoredResult.model_validate(document)
    except ValidationError as error:
        raise RunDamaged(f"the result of {run.name} cannot be read: {first_fault(error)}") from error
    except ValueError as error:
        raise RunDamaged(f"the result of {run.name} cannot be read: {error}") from error
