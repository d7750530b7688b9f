"""Trust: whether what the moot.yaml of a project names may run here.

Such a file can come with a repository of strangers, and names plug-ins, programs and servers. So it is read only after
its user has looked at it and typed `moot trust`. What is kept is the path of the file with the hash of these parts: a
change in them has to be trusted again, a change in other settings does not.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.system.home import kept_in, user_folder

PLUGINS = "plugins"
COMMANDS = "commands"
LOOKUPS = "lookups"
"""Keys of a moot.yaml: what they name is run here."""
STATE_HOME = "XDG_STATE_HOME"
RUN_HERE = (PLUGINS, COMMANDS, LOOKUPS)


def check_trusted(file: Path, content: Mapping[str, Any]) -> None:
    """ConfigError if this file of a project names what would run here, and nobody has trusted it."""
    parts = parts_to_trust(content)
    if parts and _kept().get(_name(file)) != _hash(parts):
        raise ConfigError(
            f"the {file.name} here names what would run ({', '.join(parts)}), and you have not trusted it: look at it, "
            "then type `moot trust`, or work from another folder",
            key=next(iter(parts)),
        )


def trust(file: Path, content: Mapping[str, Any]) -> Path:
    """Keep that this file is trusted as it is; returns where that is kept."""
    place = kept_in(_place(), STATE_HOME)
    new = place.with_name(f"{place.name}.{os.getpid()}")
    new.write_text(json.dumps({**_kept(), _name(file): _hash(parts_to_trust(content))}, indent=1), "utf-8")
    new.replace(place)
    return place


def parts_to_trust(content: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a moot.yaml that name what would run."""
    return {key: content[key] for key in RUN_HERE if content.get(key)}


def _name(file: Path) -> str:
    """The path by which it is known. Where the file itself is a link, that counts: its paths are relative to here."""
    return str(file.parent.resolve() / file.name)


def _hash(parts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _kept() -> dict[str, Any]:
    """The files with their hashes; none where nothing is kept, or nothing that can be read."""
    with suppress(OSError, ValueError, RecursionError):
        document = json.loads(_place().read_bytes())
        return document if isinstance(document, dict) else {}
    return {}


def _place() -> Path:
    return user_folder(STATE_HOME, "~/.local/state") / "moot" / "trusted.json"
