"""How each protocol looks in the terminal. A view knows the entries and the result of one protocol, and nothing else
in the command line does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from moot import Entry
from moot.cli.pieces import Cast, Piece
from moot.cli.words import one_line


@dataclass(frozen=True, slots=True)
class View:
    """`teller` makes, for a cast, what puts the protocol's own entries into pieces (None for one it does not know).

    `steps` says what an agent does, by a word in the key of its call; `aloud` are those whose replies are public.
    `outcome` are the parts of the summary, from the result document.
    """

    teller: Callable[[Cast], Callable[[Entry], Piece | None]]
    steps: Mapping[str, str]
    aloud: tuple[str, ...]
    outcome: Callable[[Mapping[str, Any], Console], list[RenderableType]]


def view_of(protocol: str) -> View:
    if protocol == "duel":
        from moot.cli.views import duel

        return View(duel.Teller, duel.STEPS, duel.ALOUD, duel.outcome)
    if protocol == "chaired":
        from moot.cli.views import chaired

        return View(chaired.Teller, chaired.STEPS, chaired.ALOUD, chaired.outcome)
    if protocol == "persuasion":
        from moot.cli.views import persuasion

        return View(persuasion.Teller, persuasion.STEPS, persuasion.ALOUD, persuasion.outcome)
    if protocol == "panel":
        from moot.cli.views import panel

        return View(panel.Teller, panel.STEPS, panel.ALOUD, panel.outcome)
    if protocol == "arena":
        from moot.cli.views import arena

        return View(arena.Teller, arena.STEPS, arena.ALOUD, arena.outcome)
    if protocol == "rejudging":
        from moot.cli.views import rejudging

        return View(rejudging.Teller, rejudging.STEPS, rejudging.ALOUD, rejudging.outcome)
    if protocol == "answers":
        from moot.cli.views import answers

        return View(lambda _: lambda _: None, {"answer": "is answering"}, ("answer",), answers.outcome)
    return View(lambda _: lambda _: None, {}, (), any_outcome)


def any_outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:  # noqa: ARG001 (one of several)
    """For a protocol that has no part of its own here, or a run that stopped before it had anything to show."""
    return [Text(stopped(document) or f"The {one_line(document['protocol'])} is done.", "bold")]


def stopped(document: Mapping[str, Any]) -> str:
    """Why the run did not come to its end; empty when it did."""
    if document["status"] == "done":
        return ""
    how = {"limit": "Stopped at a limit", "failed": "Stopped by a failure", "interrupted": "Interrupted"}
    reason = f": {one_line(document['reason'])}" if document["reason"] else ""
    return f"{how.get(document['status'], one_line(document['status']))}{reason}"
