"""The user's and the project's moot.yaml, and the plug-in files that they list.

The project's can come from strangers. Unless its user trusts it, it can only tighten what the user has set.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.plugins.trust import is_trusted
from moot.system.home import user_folder

PROJECT_FILE = Path("moot.yaml")
CONFIG_HOME = "XDG_CONFIG_HOME"
"""The variable with the folder of the user's settings."""
PLUGINS = "plugins"
COMMANDS = "commands"
LOOKUPS = "lookups"
REQUIRE = "require"
RUN_HERE = (PLUGINS, COMMANDS, LOOKUPS)
"""Keys of a moot.yaml: what they name is run here."""
SENT = ("log.jsonl", "calls.jsonl", "batch.json", "evaluation.json")
"""Files in the folders of runs, batches and evaluations, which people send to each other."""


def plugin_files() -> list[Path]:
    """The plug-in files listed in MOOT_PLUGINS and in the user's and the project's moot.yaml, where paths are relative
    to that file."""
    named = [resolve_path(one) for one in os.environ.get("MOOT_PLUGINS", "").split(os.pathsep) if one]
    for file in (user_file(), project_file()):
        listed = settings_file(file).get(PLUGINS) or []
        if not isinstance(listed, list) or not all(isinstance(entry, str) and entry for entry in listed):
            raise ConfigError(f"{file}: `{PLUGINS}` should be a list of Python files", key=PLUGINS)
        named += [resolve_path(entry, file.parent) for entry in listed]
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
    """The settings in a moot.yaml that count, empty if the file does not exist. Of a project that is not trusted, these
    are the ones that tighten what the user has set."""
    content = read_settings(path)
    if not content or _counts_in_full(path):
        return content
    own = read_settings(user_file())
    return {key: content[key] for key, is_tighter in TIGHTENS.items() if key in content and is_tighter(own, content)}


def ignored_settings() -> list[str]:
    """The settings of the project's moot.yaml that do not count, because its user has not trusted it."""
    file = project_file()
    content, counting = read_settings(file), settings_file(file)
    return [key for key, value in content.items() if value not in (None, [], {}) and key not in counting]


def ignored_words(ignored: Sequence[str]) -> str:
    """The same in a sentence."""
    text = f"The moot.yaml of the project is not trusted, so it can only tighten. Ignored: {', '.join(ignored)}."
    return f"{text} To use all of it, look at it and type `moot setup trust`."


def read_settings(path: Path) -> dict[str, Any]:
    """All settings in a moot.yaml, whether they count or not; empty if the file does not exist."""
    if not os.access(path, os.F_OK):
        return {}
    from moot.text.yaml import read_yaml

    return read_yaml(path, may_be_empty=True)


def _counts_in_full(path: Path) -> bool:
    own = user_file()
    return path == own or (own.exists() and own.samefile(path)) or is_trusted(path)


def _lower(limit: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], bool]:
    def is_lower(own: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
        if own.get(limit) is None:
            return True
        try:
            return float(theirs[limit]) < float(own[limit])
        except (TypeError, ValueError):  # whoever reads it as a setting says what is wrong with it
            return True

    return is_lower


TIGHTENS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], bool]] = {
    **{limit: _lower(limit) for limit in ("max_calls", "max_tokens", "max_cost", "max_minutes")},
    REQUIRE: lambda _own, _theirs: True,
}
"""The settings that an untrusted project may make tighter, each with a test whether it does, given the user's settings
and the project's. A limit that is reached stops a debate, which then does not pass; a requirement only adds to others.
"""
