"""Commands that answer as models, as the user's own moot.yaml, and that of a trusted project, declare them."""

import shlex
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from moot.errors import ConfigError
from moot.plugins.files import COMMANDS, project_file, settings_file, user_file
from moot.present.data import Data, Model
from moot.system.home import expanded

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Place = Annotated[str, StringConstraints(min_length=1)]
"""A path in JSON output, such as `usage.input_tokens`."""
Places = Annotated[list[Place], BeforeValidator(lambda given: [given] if isinstance(given, str) else given)]


def as_words(given: Any) -> Any:
    """A command as its words, also if it is given as one line."""
    return shlex.split(given) if isinstance(given, str) else given


class Fields(Data):
    """The paths of the values in JSON output. Token counts at several paths are added. A value at `error` means that
    the command has failed."""

    text: Place
    error: Place | None = None
    input: Places = []
    cached: Places = []
    output: Places = []
    thinking: Places = []
    cost: Place | None = None


class Declared(Data):
    """A command: its words, or one line of them. `env` are variables that it gets in addition to the harmless ones,
    `timeout` is in seconds, `at_once` is how many of it may run, `context` is the number of tokens that it can read,
    and `guests` says whether visitors of a server and assistants may use it."""

    model_config = ConfigDict(populate_by_name=True)

    words: Annotated[list[str], Field(min_length=1, alias="run"), BeforeValidator(as_words)]
    fields: Fields | None = Field(None, alias="json")
    env: list[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]] = []
    timeout: float | None = Field(None, gt=0, allow_inf_nan=False)
    at_once: int = Field(4, ge=1)
    context: int | None = Field(None, ge=1024)
    guests: bool = False


class _File(Model):
    commands: dict[Name, Declared]


def declared_commands() -> dict[str, Declared]:
    """The commands by name; those of the project override those of the user."""
    return commands_in(user_file()) | commands_in(project_file())


def commands_in(file: Path) -> dict[str, Declared]:
    """The commands of one moot.yaml; ConfigError says what is wrong with them. A relative path of a program starts at
    the folder of the file."""
    found = declarations(file, COMMANDS, _File)
    return {name: one.model_copy(update={"words": located(one.words, file.parent)}) for name, one in found.items()}


def declarations(file: Path, key: str, shape: type[Model]) -> dict[str, Any]:
    """What one moot.yaml declares under this key, by name; ConfigError says what is wrong with it."""
    content = settings_file(file).get(key)
    try:
        found: dict[str, Any] = getattr(shape.model_validate({key: content}), key) if content is not None else {}
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "[key]")
        raise ConfigError(f"{file}: `{place}`: {first['msg'].removeprefix('Value error, ')}", key=place) from None
    return found


def located(words: list[str], folder: Path) -> list[str]:
    """The command with the path of its program, if that is relative, completed by this folder."""
    program, *others = words
    # Links stay: the interpreter of a virtual environment is one, and knows its packages by that name.
    return [str((folder / expanded(program)).absolute()) if "/" in program else program, *others]
