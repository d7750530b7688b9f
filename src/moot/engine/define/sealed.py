"""Sealed gates: whom a gate judges does not choose its judges.

A debate of which something is required takes its settings from its user alone: the command line, the user's moot.yaml,
variables, or a policy. `plugins/files.py` leaves of a project's moot.yaml only what tightens. Here, for gates: a debate
file that others may have written is refused, a script judges only if it is named for this debate, and requirements of a
moot.yaml are added.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from moot.engine.define.gate import separated
from moot.errors import ConfigError
from moot.plugins.files import REQUIRE, project_file, settings_file, user_file
from moot.plugins.trust import check_own
from moot.text.prose import plain_words

SCRIPTED = "scripted/"


def sealed(
    protocol: str, file: Path | None, given: Mapping[str, Any], debate: Mapping[str, Any], cast: Mapping[str, Any]
) -> dict[str, Any]:
    """The debate's settings as a gate, with what the user's and the project's moot.yaml require too. `cast` are the
    models by role, and `given` the settings that were given for this debate. ConfigError if others may have chosen its
    judges."""
    if file is not None:
        check_own(file, "the debate file of a gate")
    if scripts := sorted((_scripts(debate) | _scripts(cast)) - _scripts(given)):
        told = f"{scripts[0]} cannot judge in a gate, because it is a script"
        raise ConfigError(
            f"{told}. Name a model with -m; to try the gate out, name the script itself with -m.", "model"
        )
    required = _required(protocol, separated(debate.get(REQUIRE)))
    return {**debate, REQUIRE: required} if required else dict(debate)


def _required(protocol: str, required: Any) -> Any:
    """What is required, without the decisions that a moot.yaml does not let pass."""
    for path in (user_file(), project_file()):
        also = settings_file(path).get(REQUIRE) or {}
        if not isinstance(also, dict):
            raise ConfigError(f"{path}: `{REQUIRE}` should be a mapping of protocols to decisions", REQUIRE)
        if not also.get(protocol) or not isinstance(required, list):
            continue
        passing = {plain_words(str(one)) for one in separated(also[protocol])}
        both = [one for one in required if plain_words(str(one)) in passing]
        if required and not both:
            told = f"{path} lets only {', '.join(sorted(passing))} pass"
            raise ConfigError(f"{told}, and none of these is required here: nothing could pass.", REQUIRE)
        required = both
    return required


def _scripts(value: Any) -> set[str]:
    return {one for one in _texts(value) if one.startswith(SCRIPTED)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
