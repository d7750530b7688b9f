"""Rows as a data frame of pandas or polars."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Literal

from moot.errors import ConfigError

Library = Literal["pandas", "polars"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")


def make_frame(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], library: Library | None = None) -> Any:
    """A frame with these columns, of the given library, else of one that is already imported, else of one that is
    installed. ConfigError if none is installed."""
    by_column = {name: [row[name] for row in rows] for name in columns}
    return _chosen(library).DataFrame(by_column)


def _chosen(library: Library | None) -> Any:
    if library is not None and library not in LIBRARIES:
        raise ConfigError(f"a frame is one of {' or '.join(LIBRARIES)}, not of {library!r}", "library")
    wanted = [library] if library is not None else [*(one for one in LIBRARIES if sys.modules.get(one)), *LIBRARIES]
    for one in wanted:
        with suppress(ImportError):
            return import_module(one)
    named = " or ".join(dict.fromkeys(wanted))
    raise ConfigError(f"a frame needs {named}, which is not installed: pip install {wanted[0]}", "library")
