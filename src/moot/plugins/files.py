"""The user's and the project's own moot.yaml, and the plug-in files that they name."""

import os
from pathlib import Path
from typing import Any

from moot.errors import ConfigError

PROJECT_FILE = "moot.yaml"
PLUGINS = "plugins"


def plugin_files() -> list[Path]:
    """The plug-in files that the user named: in MOOT_PLUGINS, and in the user's and the project's own moot.yaml, where
    a path is relative to that file."""
    named = [located(one) for one in os.environ.get("MOOT_PLUGINS", "").split(os.pathsep) if one]
    for file in (user_file(), Path(PROJECT_FILE)):
        listed = settings_file(file).get(PLUGINS) or []
        if not isinstance(listed, list) or not all(isinstance(one, str) and one for one in listed):
            raise ConfigError(f"{file}: `{PLUGINS}` should be a list of Python files", key=PLUGINS)
        named += [located(one, file.parent) for one in listed]
    return named


def located(path: Path | str, folder: Path = Path()) -> Path:
    """The whole path of a plug-in file; ConfigError where there can be none of that name."""
    try:
        return (folder / Path(path).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"there is no plug-in {str(path)!r}: {error}", key=PLUGINS) from error


def user_file() -> Path:
    """The user's own moot.yaml, whether it is there or not."""
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    # Unlike Path.expanduser, this one does not fail where there is no home.
    return Path(os.path.expanduser(home)) / "moot" / "moot.yaml"  # noqa: PTH111


def settings_file(path: Path) -> dict[str, Any]:
    """What a moot.yaml says, if it is there."""
    if not os.access(path, os.F_OK):
        return {}
    from moot.text.yaml import read_yaml

    return read_yaml(path, may_be_empty=True)
