"""What a protocol whose verdict rests on an argument graph says of it, so that it can be contested."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moot.argument.graph import Graph


@dataclass(frozen=True, slots=True)
class Contestable:
    """A graph and who wins by it: `verdict` names a side, or nobody; `words` say so in a clause, by side.

    `sides` are those who hold each argument, by name. `given_up` says why the debate's own verdict does not hang on
    the graph, where it does not.
    """

    graph: "Graph"
    verdict: "Callable[[Graph], str | None]"
    words: Mapping[str | None, str]
    sides: Mapping[str, str] = field(default_factory=dict)
    given_up: str | None = None
