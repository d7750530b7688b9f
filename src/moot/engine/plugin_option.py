"""Plug-in files that a command line names for itself alone: whatever tells people what to type names them again."""

import os
from pathlib import Path

from moot.errors import ConfigError
from moot.plugins.files import located, plugin_files

OPTION = "--plugin"
_named: set[Path] = set()


def name_plugin(path: str) -> None:
    """Have this plug-in file loaded here and by all that this process starts; ConfigError where there is none."""
    whole, named = located(path), os.environ.get("MOOT_PLUGINS", "")
    if not whole.is_file():
        raise ConfigError(f"there is no plug-in file {path}", key="plugins")
    _named.add(whole)
    os.environ["MOOT_PLUGINS"] = f"{named}{os.pathsep}{whole}" if named else str(whole)


def plugin_option(*protocols: str, public: bool = False) -> list[str]:
    """The words that name the plug-in files of these protocols, where no setting names them: to be put after `moot`. A
    `public` text does not tell where on this machine a file lies, unless that is in the folder one works in."""
    from moot.engine.registry import file_of  # not needed to name one, and slow to load

    paths = dict.fromkeys(path for name in protocols if (path := file_of(name)) is not None)
    needed = [path for path in paths if path in _named or path not in plugin_files()]
    return [word for path in needed for word in (OPTION, _spelled(path, public))]


def _spelled(path: Path, public: bool) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else path.name if public else str(path)
