"""The result of a run as it stands in its file, checked, for those who look at many and replay none."""

from pydantic import BaseModel, ConfigDict, ValidationError

from moot.engine.result import Receipt, Spent, Status
from moot.engine.runs import Run
from moot.errors import RunDamaged
from moot.present import Flag, Summary
from moot.record.log import first_fault
from moot.record.stores.base import RESULT


class StoredResult(BaseModel):
    """What `result.json` says of any debate, whatever its protocol. `topic` is None where the protocol's own part has
    none."""

    model_config = ConfigDict(frozen=True)

    protocol: str
    status: Status
    reason: str | None
    summary: Summary
    flags: list[Flag]
    spent: Spent
    seconds: float
    receipt: Receipt
    topic: str | None = None


def stored_result(run: Run) -> StoredResult | None:
    """The result on disk; None where the run has not come to one, and RunDamaged for a file that is none."""
    content = run.place.read(RESULT)
    if not content:
        return None
    try:
        return StoredResult.model_validate_json(content)
    except ValidationError as error:
        raise RunDamaged(f"the result of {run.name} cannot be read: {first_fault(error)}") from error
