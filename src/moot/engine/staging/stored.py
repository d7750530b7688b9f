"""The result of a run as stored in its file, validated, for code that reads many runs without replaying them."""

from pydantic import BaseModel, ConfigDict, ValidationError

from moot.engine.define.gate import Gate
from moot.engine.outcome.result import Receipt, Spent, Status, whole_summary
from moot.engine.staging.runs import Run
from moot.errors import RunDamaged
from moot.present import Flag, Summary
from moot.record.log import first_fault
from moot.record.stores.base import RESULT
from moot.text.json import parse_json


class StoredResult(BaseModel):
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


def readable_result(run: Run) -> StoredResult | None:
    """The stored result; None if it is missing or damaged."""
    try:
        return stored_result(run)
    except RunDamaged:
        return None


def stored_result(run: Run) -> StoredResult | None:
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
