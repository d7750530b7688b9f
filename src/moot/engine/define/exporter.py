"""The export formats of a run: moot's own are in `moot.runs.export`, others come with plug-ins."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moot.plugins.table import Table

if TYPE_CHECKING:
    from moot.engine.staging.runs import Run


@dataclass(frozen=True, slots=True)
class Exporter:
    """An export format: `write` makes the text, `about` describes it. Formats of the argument `graph` need a debate
    with a graph, or with extracted arguments."""

    name: str
    about: str
    media: str
    write: "Callable[[Run], str | Awaitable[str]]"
    graph: bool = False


EXTRACTED = "arguments.json"
"""The file of a run with the argument graph that was taken from it."""
EXPORTERS: Table[Exporter] = Table(Exporter, "exporter", "moot.exporters")
register_exporter = EXPORTERS.register
"""Register an exporter in this process. Registering it again is fine; a different one with its name is refused."""
