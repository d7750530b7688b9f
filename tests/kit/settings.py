"""The settings of the protocols as types, written from their configs: `python -m tests.kit.settings` makes
`moot/runs/settings.py` anew, and a test compares it."""

import subprocess
import sys
import types
from dataclasses import is_dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from moot.engine.config import Options
from moot.engine.protocol import Protocol
from moot.engine.registry import get_protocol
from moot.engine.shipped import OFFERED

FILE = Path(__file__).parents[2] / "src" / "moot" / "runs" / "settings.py"
HEAD = '''"""The settings of each protocol from Python, as types; made by `python -m tests.kit.settings`.

None means that a setting is not given."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypedDict

from moot.models.base import Model
from moot.record.events import Follower


class CommonSettings(TypedDict, total=False):
    """The settings of every protocol. `follow` is called with every event, `models` are your own models by the names in
    the settings, without `reports` none are written, `file` is a debate file, and `policy` names a policy."""

    follow: Follower | None
    models: Mapping[str, Model] | None
    reports: bool
    file: Path | str | None
    policy: str | None
'''
WIDER = {
    ("", "roles"): "Mapping[str, str | Sequence[str] | Mapping[str, Any]]",
    ("", "documents"): "Sequence[str | Mapping[str, Any]]",
    ("", "tools"): "Mapping[str, Sequence[str]] | Sequence[str]",
    ("arena", "agents"): "int | Sequence[Mapping[str, Any]]",
    ("arena", "judges"): "int | Sequence[Mapping[str, Any]]",
    ("arena", "trickster"): "bool | Mapping[str, Any]",
    ("arena", "observer"): "bool | Mapping[str, Any]",
    ("chaired", "evidence"): "str | Mapping[str, Any]",
}
"""What a config is completed from, where that is more than its field says."""
FURTHER = {"duel": {"no_judge": "bool"}, "arena": {"judge": "Mapping[str, Any]"}}
"""Keys that a config is completed from, and has no field for."""
TAKEN = {"models"}
"""The models by role and by seat are given with `roles` and `model`: `models` are the objects."""


def written() -> str:
    """The file as it should be."""
    text = HEAD + "".join(_lines("", Options))
    for name in OFFERED:
        text += _class(get_protocol(name))
    ruff = [str(Path(sys.executable).parent / "ruff"), "format", "--stdin-filename", str(FILE), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout


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
