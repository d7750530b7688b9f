"""Trust: which files of a project its user has looked at.

A project can come from strangers, and its moot.yaml names models, prices, plug-ins, programs and servers. So a file
counts in full only after its user has looked at it and typed `moot setup trust`. moot keeps the path of the file with
the hash of its content: after any change it has to be trusted again.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.system.home import kept_in, user_folder
from moot.system.project import lies_in_project
from moot.text.json import parse_json

STATE_HOME = "XDG_STATE_HOME"


def is_trusted(file: Path) -> bool:
    """Whether the user has trusted this file with the content that it has now."""
    known = _kept().get(_name(file))
    return known is not None and known == _hash(file)


def trust(file: Path, shown: bytes | None = None) -> Path:
    """Keep that this file is trusted with the content that was shown, or else as it is; returns where that is kept."""
    place = kept_in(_place(), STATE_HOME)
    new = place.with_name(f"{place.name}.{os.getpid()}")
    new.write_text(json.dumps({**_kept(), _name(file): _hash(file, shown)}, indent=1), "utf-8")
    new.replace(place)
    return place


def check_own(file: Path, what: str, key: str | None = None) -> None:
    """ConfigError if somebody else may have written this file: it is in the project, and not trusted."""
    if lies_in_project(file) and not is_trusted(file):
        raise ConfigError(
            f"{file} is in the project, and you have not trusted it, so it cannot be {what}. Take it from a revision "
            f"that you rely on with --policy REVISION:{file}, or look at it and type `moot setup trust {file}`.",
            key,
        )


def _name(file: Path) -> str:
    """The path by which it is known. Where the file itself is a link, that counts: its paths are relative to here."""
    return str(file.parent.resolve() / file.name)


def _hash(file: Path, content: bytes | None = None) -> str:
    from moot.text.yaml import read_file

    return hashlib.sha256(read_file(file) if content is None else content).hexdigest()


def _kept() -> dict[str, Any]:
    """The files with their hashes; none where nothing is kept, or nothing that can be read."""
    with suppress(OSError, ValueError):
        document = parse_json(_place().read_bytes())
        return document if isinstance(document, dict) else {}
    return {}


def _place() -> Path:
    return user_folder(STATE_HOME, "~/.local/state") / "moot" / "trusted.json"
