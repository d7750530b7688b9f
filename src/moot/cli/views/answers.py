"""How independent answers, the baselines of an evaluation, look in the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from moot.cli.views import any_outcome
from moot.cli.words import one_line


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    """The last line of each answer, which is where it stands."""
    if document["status"] != "done":
        return any_outcome(document, console)
    lines = [(name, [line for line in text.splitlines() if line.strip()]) for name, text in document["answers"].items()]
    return [Text(f"{one_line(name)}: {one_line(said[-1] if said else '')}") for name, said in lines]
