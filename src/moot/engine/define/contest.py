"""The interface for contesting a verdict that rests on an argument graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moot.argument.contests import Edit
    from moot.argument.graph import Graph


@dataclass(frozen=True, slots=True)
class Contestable:
    """A graph and its verdict: `after` makes edits by the rules of the debate, none for the verdict as it is, and
    returns the graph with the winning side, or None; `words` describe that in a clause, by side.

    `sides` maps each argument to its side. `given_up` is the reason why the debate's verdict does not depend on it.
    """

    graph: "Graph"
    after: "Callable[[Sequence[Edit]], tuple[Graph, str | None]]"
    words: Mapping[str | None, str]
    sides: Mapping[str, str] = field(default_factory=dict)
    given_up: str | None = None
