"""Sets the default model in the user's moot.yaml, and leaves everything else in that file unchanged."""

import os
import re
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from moot.errors import ConfigError
from moot.models.registry import check_name
from moot.plugins.files import CONFIG_HOME, settings_file, user_file
from moot.system.home import kept_in
from moot.text.yaml import dump_key, parse_yaml

KEY = "model"
_SETTING = re.compile(rf"^{KEY}[ \t]*:.*\n?(?:(?:[ \t]+|-[ \t]).*\n?)*", re.MULTILINE)
"""The key with its value, which may continue in indented lines or list items."""


def set_default_model(name: str) -> Path:
    """Write the model into the user's moot.yaml, creating it if necessary; returns the file."""
    check_name(name)
    file = user_file()
    before = settings_file(file)
    text = file.read_text("utf-8") if before or file.exists() else ""
    line = dump_key(KEY, to_json(name))
    if _SETTING.search(text):
        new = _SETTING.sub(lambda _: line, text, count=1)
    else:
        new = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}"
    if not _says(new, {**before, KEY: name}):
        raise ConfigError(f"{file} is written in a way that cannot be changed here; set `{KEY}: {name}` by hand", KEY)
    kept_in(file, CONFIG_HOME)
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    beside.write_text(new, "utf-8")
    beside.replace(file)
    return file


def _says(text: str, settings: dict[str, Any]) -> bool:
    try:
        return parse_yaml(text.encode(), "") == settings
    except ConfigError:
        return False
