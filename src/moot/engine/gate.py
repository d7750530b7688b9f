"""The gate:

whether a run reached a required decision. An undecided, unfinished or unreliable run never passes.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, BeforeValidator

from moot.engine.study import plain_words
from moot.present import Flag, Summary
from moot.record.entry import Entry

if TYPE_CHECKING:
    from moot.engine.protocol import Protocol
    from moot.engine.result import Result

NOT_MET = "requirement_not_met"
"""The code of the flag of a decision that does not pass."""


@dataclass(frozen=True, slots=True)
class Decides:
    """What can be required of a protocol's decisions, by the key `require` of its config.

    `names` are, for an outcome and its log, the requirements that the decision meets; none if there is no decision. A
    string is the field of the outcome with the only one. `doubts` are the codes of flags with which a decision does not
    pass, because it is unstable or rests on replies that are missing.
    """

    names: Callable[[Any, Sequence[Entry]], Sequence[str]] | str
    doubts: Collection[str] = ("replies_missing",)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a run passes, and why or why not, in words."""

    required: tuple[str, ...]
    passed: bool
    why: str


def separated(given: Any) -> Any:
    """A list from words separated by commas, alone or in a list; None means no words."""
    if given is None:
        return []
    several = [given] if isinstance(given, str) else given
    if not isinstance(several, list) or not all(isinstance(one, str) for one in several):
        return several
    return [word.strip() for one in several for word in one.split(",") if word.strip()]


Separated = BeforeValidator(separated)
"""For a list of words that can be given with commas between."""


def requirement(config: BaseModel) -> tuple[str, ...]:
    """What is required of the decision; empty if nothing is."""
    return tuple(getattr(config, "require", None) or ())


def gate_of(result: "Result") -> Gate | None:
    """Whether the run of a result passes; None if nothing was required of it."""
    config = result.stored.config
    required = requirement(config.debate)
    if not required:
        return None
    if result.status != "done":
        why = f": {result.reason.rstrip('.')}" if result.reason else ""
        return Gate(required, passed=False, why=f"The debate did not finish{why}.")
    failed = next((flag for flag in result.flags if flag.code == NOT_MET), None)
    told = f"{_quoted(required)} was required"
    return Gate(required, passed=failed is None, why=failed.text if failed else f"The requirement is met: {told}.")


def requirement_flags(
    protocol: "Protocol", config: BaseModel, outcome: BaseModel | None, summary: Summary, entries: Sequence[Entry]
) -> list[Flag]:
    """A flag if the decision of a finished debate does not meet what is required of it. `summary` has all other flags
    of the debate."""
    required = requirement(config)
    if not required:
        return []
    decides = protocol.decides
    met = _met(decides, outcome, entries) if decides and outcome is not None else set()
    doubt = next((flag for flag in summary.flags if decides and flag.code in decides.doubts), None)
    if met & {plain_words(one) for one in required}:
        if doubt is None:
            return []
        text = f"The requirement is not met: the decision is not one to rely on. {doubt.text}"
    else:
        text = f"The requirement is not met: {_quoted(required)} was required."
    return [Flag(code=NOT_MET, text=text)]


def _quoted(required: Sequence[str]) -> str:
    """What is required, between quotation marks: it can be any word, even “for”."""
    return " or ".join(f"“{one}”" for one in required)


def _met(decides: Decides, outcome: BaseModel, entries: Sequence[Entry]) -> set[str]:
    """What the decision meets; nothing if the code of a plug-in fails."""
    try:
        if isinstance(decides.names, str):
            only = getattr(outcome, decides.names, None)
            return {plain_words(only)} if only else set()
        return {plain_words(name) for name in decides.names(outcome, entries)}
    except Exception:
        return set()
