"""The protocols as functions for type checkers, written from their configs and outcomes: `python -m tests.kit.settings`
makes `moot/runs/ways.pyi` anew, and a test compares it."""

import subprocess
import sys
import types
from dataclasses import is_dataclass
from decimal import Decimal
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from moot.engine.define.config import Options
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED

FILE = Path(__file__).parents[2] / "src" / "moot" / "runs" / "ways.pyi"
HEAD = """# The functions of the shipped protocols for type checkers, made by `python -m tests.kit.settings`.
# A setting that is None is not given. An outcome is None if it could not be read from the log.

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack

from pydantic import BaseModel

from moot.engine.outcome.result import Result
from moot.models.base import Model
from moot.protocols.panel.callers import OnAccept
from moot.record.events import Follower
OUTCOMES
_Outcome = TypeVar("_Outcome", bound=BaseModel)

class ResultOf(Result, Generic[_Outcome]):
    outcome: _Outcome | None

class CommonSettings(TypedDict, total=False):
    # `follow` is called with every event, `models` are your own models by the names in the settings, without `reports`
    # none are written, `file` is a debate file, and `policy` names a policy.
    follow: Follower | None
    models: Mapping[str, Model] | None
    reports: bool
    file: Path | str | None
    policy: str | None
"""
WIDER = {
    ("", "roles"): "Mapping[str, str | Sequence[str] | Mapping[str, Any]]",
    ("", "documents"): "Sequence[str | Mapping[str, Any]]",
    ("", "tools"): "Mapping[str, Sequence[str]] | Sequence[str]",
    ("arena", "agents"): "int | Sequence[Mapping[str, Any]]",
    ("arena", "judges"): "int | Sequence[Mapping[str, Any]]",
    ("arena", "trickster"): "bool | Mapping[str, Any]",
    ("arena", "observer"): "bool | Mapping[str, Any]",
    ("panel", "idea"): "str | Mapping[str, Any]",
    ("chaired", "evidence"): "str | Mapping[str, Any]",
}
"""What a config is completed from, where that is more than its field says."""
FURTHER = {"panel": {"on_accept": "OnAccept"}, "arena": {"judge": "Mapping[str, Any]"}}
"""Keys of a function that the config has no field for."""
TAKEN = {"models"}
"""The models by role and by seat are given with `roles` and `model`: `models` are the objects."""


def written() -> str:
    """The file as it should be."""
    protocols = [get_protocol(name) for name in OFFERED]
    outcomes = [signature(protocol.outcome).return_annotation for protocol in protocols]
    imports = "".join(
        f"from {outcome.__module__} import {outcome.__name__} as {protocol.name.capitalize()}\n"
        for protocol, outcome in zip(protocols, outcomes, strict=True)
    )
    text = HEAD.replace("OUTCOMES\n", imports) + "".join(_lines("", Options))
    text += "".join(f"{_class(protocol)}\n{_function(protocol)}" for protocol in protocols)
    ruff = [str(Path(sys.executable).parent / "ruff")]
    for command in (["check", "--fix", "--select", "I"], ["format"]):
        made = [*ruff, *command, "--stdin-filename", str(FILE), "-"]
        text = subprocess.run(made, input=text, capture_output=True, text=True, check=True).stdout
    return text


def _class(protocol: Protocol) -> str:
    name = f"{protocol.name.capitalize()}Settings"
    aliased = _lines(protocol.name, protocol.config, aliased=True)
    bases, before = "CommonSettings", ""
    if aliased:  # words of Python, which only a call can have
        fields = ", ".join(f'"{key}": {kind}' for key, kind in (line.strip().split(": ", 1) for line in aliased))
        before = f'_{name} = TypedDict("_{name}", {{{fields}}}, total=False)\n\n\n'
        bases += f", _{name}"
    lines = [*_lines(protocol.name, protocol.config, but=protocol.subject.key)]
    lines += [f"    {key}: {kind} | None\n" for key, kind in FURTHER.get(protocol.name, {}).items()]
    return f"\n\n{before}class {name}({bases}, total=False):\n{''.join(lines) or '    pass'}\n"


def _function(protocol: Protocol) -> str:
    kind, name = WIDER.get((protocol.name, protocol.subject.key), "str"), protocol.name.capitalize()
    return f"""
async def {protocol.name}(
    {protocol.subject.key}: {kind} | None = None, **settings: Unpack[{name}Settings]
) -> ResultOf[{name}]: ...
"""


def _lines(protocol: str, config: type[BaseModel], but: str = "", *, aliased: bool = False) -> list[str]:
    found = []
    for key, field in config.model_fields.items():
        if key == but or key in TAKEN or bool(field.alias) is not aliased:
            continue
        kind = WIDER.get((protocol, key)) or spelled(field.annotation)
        if key == "require" and "Literal" in kind:  # or a single one
            kind = f"{kind.removeprefix('Sequence[').removesuffix(']')} | {kind}"
        kind = kind if kind.endswith("None") else f"{kind} | None"
        found.append(f"    {field.alias or key}: {kind}\n")
    return found


def spelled(annotation: Any) -> str:
    """What may be given for a field of this type."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return spelled(inner[0])
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(spelled, sorted(inner, key=lambda one: one is type(None)))))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, inner))}]"
    if origin in (list, tuple):
        return f"Sequence[{spelled(inner[0])}]"
    if origin is dict:
        return f"Mapping[{spelled(inner[0])}, {spelled(inner[1])}]"
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        return "Mapping[str, Any]"
    known = {Decimal: "Decimal | float | str", type(None): "None", Path: "Path | str", Any: "Any"}
    return known.get(annotation) or str(annotation.__name__)


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
