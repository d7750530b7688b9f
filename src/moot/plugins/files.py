"""The user's and the project's moot.yaml, and the plug-in files that they list."""

import os
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.plugins.trust import PLUGINS, check_trusted
from moot.system.home import user_folder

PROJECT_FILE = Path("moot.yaml")
CONFIG_HOME = "XDG_CONFIG_HOME"
"""The variable with the folder of the user's settings."""
SENT = ("log.jsonl", "calls.jsonl", "batch.json", "evaluation.json")
"""Files in the folders of runs, batches and evaluations, which people send to each other."""


def plugin_files() -> list[Path]:
    """The plug-in files listed in MOOT_PLUGINS and in the user's and the project's moot.yaml, where paths are relative
    to that file."""
    named = [resolve_path(one) for one in os.environ.get("MOOT_PLUGINS", "").split(os.pathsep) if one]
    for file in (user_file(), project_file()):
        listed = settings_file(file).get(PLUGINS) or []
        if not isinstance(listed, list) or not all(isinstance(one, str) and one for one in listed):
            raise ConfigError(f"{file}: `{PLUGINS}` should be a list of Python files", key=PLUGINS)
        named += [resolve_path(one, file.parent) for one in listed]
    return named


def resolve_path(path: Path | str, folder: Path = Path()) -> Path:
    """The absolute path of a plug-in file; ConfigError if the name is impossible."""
    try:
        return (folder / Path(path).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"there is no plug-in {str(path)!r}: {error}", key=PLUGINS) from error


def project_file() -> Path:
    """The project's moot.yaml, whether it exists or not. ConfigError in a folder that others may have sent: what such a
    file names would be run."""
    if os.path.lexists(PROJECT_FILE) and (found := next(filter(os.path.lexists, SENT), None)):
        raise ConfigError(
            f"the {PROJECT_FILE} here is not read: this folder has a {found}, and may come from others; "
            "work from another folder"
        )
    return PROJECT_FILE


def user_file() -> Path:
    """The user's moot.yaml, whether it exists or not."""
    return user_folder(CONFIG_HOME, "~/.config") / "moot" / "moot.yaml"


def settings_file(path: Path) -> dict[str, Any]:
    """The content of a moot.yaml, empty if the file does not exist; ConfigError for one of a project that names what
    would run here, unless it is trusted."""
    if not os.access(path, os.F_OK):
        return {}
    from moot.text.yaml import read_yaml

    content = read_yaml(path, may_be_empty=True)
    own = user_file()
    if path != own and not (own.exists() and own.samefile(path)):
        check_trusted(path, content)
    return content
