"""The content of files that a config names, for a run on a machine that must not open these files."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from moot.engine.play.structured import Shape
from moot.errors import ConfigError
from moot.present.data import read_as


@dataclass(frozen=True, slots=True)
class Carried:
    """`content` is JSON by name, as read by the protocol's `carry` when the run was submitted."""

    content: Mapping[str, bytes] = field(default_factory=dict)

    def get(self, shape: type[Shape], name: str) -> Shape:
        """The content of that name; ConfigError if it was not sent along, or is something else."""
        if name not in self.content:
            raise ConfigError(
                f"the debate needs files ({name}) that were not sent along with it, and none is opened here for it"
            )
        try:
            return read_as(shape, self.content[name])
        except ValidationError as error:
            raise ConfigError(f"what was sent along as {name} cannot be read: {error.errors()[0]['msg']}") from None
