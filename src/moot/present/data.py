"""The bases of data models. pydantic builds one when it is first used: a command uses a few of hundreds."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from moot.text.json import parse_json

Shape = TypeVar("Shape", bound=BaseModel)


class Model(BaseModel):
    model_config = ConfigDict(defer_build=True)


class Data(Model):
    """Data that does not change and has no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def first_fault(error: ValidationError) -> str:
    """What is wrong with data, and where: the first of its faults."""
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    return f"{where}: {fault['msg']}" if where else fault["msg"]


def read_as(shape: type[Shape], data: bytes | str, context: Any = None) -> Shape:
    """The object of this shape that strict JSON says; ValidationError if it says none."""
    try:
        value = parse_json(data)
    except ValueError as error:
        fault = PydanticCustomError("json", "not JSON: {why}", {"why": str(error)})
        raise ValidationError.from_exception_data(shape.__name__, [{"type": fault, "input": None}]) from None
    return shape.model_validate(value, context=context)
