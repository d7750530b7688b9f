"""The forms that a run can be exported to: moot's own are in `moot.runs.export`, others come with plug-ins."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from moot.engine.runs import Run
from moot.plugins.table import Table


@dataclass(frozen=True, slots=True)
class Exporter:
    """A form that a run can be exported to: `write` makes the text, `about` says what it is. One of the argument
    `graph` needs a debate that has one, or whose arguments were extracted."""

    name: str
    about: str
    media: str
    write: Callable[[Run], str | Awaitable[str]]
    graph: bool = False


EXPORTERS: Table[Exporter] = Table(Exporter, "exporter", "moot.exporters")
register_exporter = EXPORTERS.register
"""Make an exporter known in this process. The same may be registered again; another of its name is refused."""
