"""The results of the shipped protocols as types: `ResultOf[X]` is a `Result` whose outcome is an `X`. This is for type
checkers alone: a debate returns a `Result`, and no protocol is imported before it is used."""

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from moot.engine.result import Result
    from moot.protocols.arena.result import ArenaOutcome as Arena
    from moot.protocols.chaired.result import ChairedOutcome as Chaired
    from moot.protocols.council import Outcome as Council
    from moot.protocols.delphi import Outcome as Delphi
    from moot.protocols.duel.result import DuelOutcome as Duel
    from moot.protocols.hats import Outcome as Hats
    from moot.protocols.multiagent import Outcome as Multiagent
    from moot.protocols.oversight import Outcome as Oversight
    from moot.protocols.oxford import Outcome as Oxford
    from moot.protocols.panel.result import PanelOutcome as Panel
    from moot.protocols.persuasion.result import PersuasionOutcome as Persuasion
    from moot.protocols.redteam import Outcome as Redteam
    from moot.protocols.socratic import Outcome as Socratic

    Outcome = TypeVar("Outcome", bound=BaseModel)

    class ResultOf(Result, Generic[Outcome]):
        """The result of a debate; `outcome` is None if it could not be read from the log."""

        outcome: Outcome | None

    __all__ = ["Arena", "Chaired", "Council", "Delphi", "Duel", "Hats", "Multiagent", "Oversight", "Oxford", "Panel"]
    __all__ += ["Persuasion", "Redteam", "ResultOf", "Socratic"]
