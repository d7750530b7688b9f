"""The bases of data models. pydantic builds one when it is first used: a command uses a few of hundreds."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    model_config = ConfigDict(defer_build=True)


class Data(Model):
    """Data that does not change and has no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
