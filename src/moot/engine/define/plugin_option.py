"""Plug-in files given on the command line: suggested commands must repeat them."""

import os
from pathlib import Path

from moot.errors import ConfigError
from moot.plugins.files import plugin_files, resolve_path

OPTION = "--plugin"
_named: set[Path] = set()


def name_plugin(path: str) -> None:
    """Load this plug-in file here and in child processes; ConfigError if it does not exist."""
    absolute, named = resolve_path(path), os.environ.get("MOOT_PLUGINS", "")
    if not absolute.is_file():
        raise ConfigError(f"there is no plug-in file {path}", key="plugins")
    _named.add(absolute)
    os.environ["MOOT_PLUGINS"] = f"{named}{os.pathsep}{absolute}" if named else str(absolute)


def plugin_option(*protocols: str, public: bool = False) -> list[str]:
    """The words to add after `moot` to load the plug-in files of these protocols, unless a setting already does, and
    all that were named on this command line, which may have the models. A `public` text shows the files of the
    protocols alone, and their paths only inside the working folder."""
    from moot.engine.define.registry import file_of  # slow to load, and not always needed

    paths = dict.fromkeys(path for name in protocols if (path := file_of(name)) is not None)
    if not public and _named:
        paths |= dict.fromkeys(path for path in plugin_files() if path in _named)
    needed = [path for path in paths if path in _named or path not in plugin_files()]
    return [word for path in needed for word in (OPTION, _spelled(path, public))]


def _spelled(path: Path, public: bool) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else path.name if public else str(path)
