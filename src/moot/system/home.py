"""The user's folders, also where the user has no home, as in a container that runs under any number."""

import os
from pathlib import Path

from moot.errors import ConfigError

NOWHERE = Path(os.devnull)
"""In place of a folder that is not there: nothing can be below it. `~` as it stands would be a folder in the current
one, in which others may have put files."""


def user_folder(variable: str, default: str) -> Path:
    """The folder of the user's files of a kind: that of the variable, or else the default; NOWHERE without a home."""
    found = Path(os.path.expanduser(os.environ.get(variable) or default))  # noqa: PTH111 (it needs no home)
    return NOWHERE if found.parts[:1] and found.parts[0].startswith("~") else found


def expanded(path: str | Path) -> Path:
    """The path with the home of a user for `~`; ConfigError if there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ConfigError(f"{path}: there is no such home folder; set HOME, or give the whole path") from None


def kept_in(file: Path, variable: str) -> Path:
    """The file, with its folder made; ConfigError if there is nowhere to keep it. The variable can name a folder."""
    if file.is_relative_to(NOWHERE):
        raise ConfigError(f"there is no home folder to keep this in; set HOME or {variable}")
    file.parent.mkdir(parents=True, exist_ok=True)
    return file
