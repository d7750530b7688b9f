"""The shipped protocols as functions, each with its settings and outcome. `moot.sync` has the same without `await`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from moot.engine.layers import configure
from moot.engine.registry import get_protocol
from moot.protocols.panel.callers import OnAccept, hand_on
from moot.runs.debates import run
from moot.runs.notebook import notebook_progress

if TYPE_CHECKING:
    from typing import Unpack

    from moot.runs import results as to
    from moot.runs import settings as of


async def duel(topic: str | None = None, **settings: "Unpack[of.DuelSettings]") -> "to.ResultOf[to.Duel]":
    """Two debaters and a judge on a topic."""
    return await _held("duel", topic, **settings)


async def chaired(topic: str | None = None, **settings: "Unpack[of.ChairedSettings]") -> "to.ResultOf[to.Chaired]":
    """Seven roles on a topic, with sources that are checked."""
    return await _held("chaired", topic, **settings)


async def panel(
    idea: str | Mapping[str, Any] | None = None,
    *,
    on_accept: OnAccept | None = None,
    **settings: "Unpack[of.PanelSettings]",
) -> "to.ResultOf[to.Panel]":
    """Five personas decide about an idea, a text or a document.

    `on_accept` is called with the accepted idea and the result, and awaited if it is asynchronous, when the required
    decision was reached or, if none is required, the decision that lets the idea pass.
    """
    result = await _held("panel", idea, **settings)
    if on_accept is not None:
        await hand_on(result, on_accept)
    return result


async def persuasion(
    topic: str | None = None, **settings: "Unpack[of.PersuasionSettings]"
) -> "to.ResultOf[to.Persuasion]":
    """A formal dialogue on a proposition."""
    return await _held("persuasion", topic, **settings)


async def arena(topic: str | None = None, **settings: "Unpack[of.ArenaSettings]") -> "to.ResultOf[to.Arena]":
    """Agents propose, criticise, revise, vote and are judged."""
    return await _held("arena", topic, **settings)


async def council(topic: str | None = None, **settings: "Unpack[of.CouncilSettings]") -> "to.ResultOf[to.Council]":
    """Members answer alone, rank the answers blind, and a chairman writes one."""
    return await _held("council", topic, **settings)


async def multiagent(
    topic: str | None = None, **settings: "Unpack[of.MultiagentSettings]"
) -> "to.ResultOf[to.Multiagent]":
    """Agents answer alone, revise in view of each other's answers, and the majority counts."""
    return await _held("multiagent", topic, **settings)


async def delphi(topic: str | None = None, **settings: "Unpack[of.DelphiSettings]") -> "to.ResultOf[to.Delphi]":
    """Experts estimate a number, see the spread and the reasons, and estimate again."""
    return await _held("delphi", topic, **settings)


async def oxford(topic: str | None = None, **settings: "Unpack[of.OxfordSettings]") -> "to.ResultOf[to.Oxford]":
    """An audience votes, hears a speaker for and one against, and votes again; the swing wins."""
    return await _held("oxford", topic, **settings)


async def socratic(topic: str | None = None, **settings: "Unpack[of.SocraticSettings]") -> "to.ResultOf[to.Socratic]":
    """A questioner examines a thesis by questions alone, and what is admitted is recorded."""
    return await _held("socratic", topic, **settings)


async def hats(topic: str | None = None, **settings: "Unpack[of.HatsSettings]") -> "to.ResultOf[to.Hats]":
    """A question is thought through under six hats, one manner of thinking at a time."""
    return await _held("hats", topic, **settings)


async def redteam(plan: str | None = None, **settings: "Unpack[of.RedteamSettings]") -> "to.ResultOf[to.Redteam]":
    """A red team attacks a plan, a blue team mends it, and red attacks what was mended."""
    return await _held("redteam", plan, **settings)


async def oversight(
    topic: str | None = None, **settings: "Unpack[of.OversightSettings]"
) -> "to.ResultOf[to.Oversight]":
    """Debaters or a consultant with a text argue before a judge who must not see it."""
    return await _held("oversight", topic, **settings)


async def _held(protocol: str, subject: Any, /, **settings: Any) -> "to.ResultOf[Any]":
    """The debate. In a notebook its progress is shown, unless somebody follows it."""
    how = {key: settings.pop(key) for key in ("follow", "models", "reports") if key in settings}
    how["follow"] = how.get("follow") or notebook_progress()
    config = configure(protocol, **{get_protocol(protocol).subject.key: subject, **settings})
    return cast("to.ResultOf[Any]", await run(config, **how))
