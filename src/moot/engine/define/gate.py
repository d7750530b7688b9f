"""The gate: whether a run reached a required decision on exactly what was submitted.

An undecided, unfinished or unreliable run never passes, and neither does a text that was accepted only after a rewrite.
"""

import difflib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from moot.errors import ConfigError
from moot.plugins.guard import Broken, guarded
from moot.present import Flag
from moot.present.data import Model
from moot.record.entry import Entry
from moot.text.prose import plain_words

if TYPE_CHECKING:
    from moot.engine.define.config import RunConfig
    from moot.engine.define.protocol import Protocol
    from moot.engine.outcome.result import Result

NOT_MET = "requirement_not_met"
"""The code of the flag of a decision that does not pass."""

Ground = Literal["missing", "level", "contradicted", "unsupported", "incomplete", "conditions"]
GROUNDS: Mapping[Ground, str] = {
    "missing": "there is no outcome, or none that can be read",
    "level": "the outcome is level",
    "contradicted": "its own record contradicts it: announcement, scores, reasons or rulings",
    "unsupported": "it rests on statements that were struck, contradicted or never checked",
    "incomplete": "replies, voices or parts of what was submitted are missing",
    "conditions": "it has conditions that are not met",
}
"""Why a gate refuses an outcome."""
ALWAYS: Mapping[Ground, Sequence[str]] = {
    "missing": ("summary_failed",),
    "incomplete": ("replies_missing", "documents_cut", "documents_not_read", "images_not_shown"),
}
"""The flags that a gate refuses in any protocol. A protocol can add flags, and remove none."""


@dataclass(frozen=True, slots=True)
class Revised:
    """A rewrite of what was submitted, and the requirements that the decision on the rewrite meets."""

    text: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Decides:
    """What can be required of a protocol's decisions, by the key `require` of its config.

    `names` are, for an outcome and its log, the requirements that the decision on the submitted text meets; none if
    there is no decision. A string is the field of the outcome with the only one. `refuses` are the codes of flags with
    which a decision does not pass, by the ground for it, in addition to those of any protocol. `conditions` must be met
    before the decision holds, and `revised` is the rewrite, if the debate made one. `decision` is the decision on the
    submitted text in a word; by default the first of the `names`.
    """

    names: Callable[[Any, Sequence[Entry]], Sequence[str]] | str
    refuses: Mapping[Ground, Sequence[str]] = field(default_factory=dict)
    conditions: Callable[[Any], Sequence[str]] = lambda _: ()
    revised: Callable[[Any], Revised | None] = lambda _: None
    decision: Callable[[Any], str | None] | None = None

    @property
    def refused(self) -> dict[str, Ground]:
        """The codes of the flags with which a decision does not pass, each with its ground."""
        return {code: ground for table in (ALWAYS, self.refuses) for ground, codes in table.items() for code in codes}


class Refusal(Model):
    """A flag for which a gate refuses an outcome."""

    code: str
    ground: Ground
    text: str


class Revision(Model):
    """A rewrite of what was submitted. `meets` is whether the decision on the rewrite is one of those required."""

    sha256: str
    diff: str
    meets: bool


class Gate(Model):
    """Whether a run passes, and why or why not, in words. `passed` is null if nothing is required.

    `decision` and its `conditions` are about what was submitted, whose bytes have the hash `submitted_sha256`.
    `accepted_sha256` is the hash of the text that passed: the same, or that of the `revision` if the caller accepts a
    revised text; null if nothing passed. `refused` are the flags that the gate does not let pass, and `allowed` those
    that it would not, but the caller does.
    """

    model_config = ConfigDict(frozen=True)

    required: list[str]
    passed: bool | None
    why: str
    decision: str | None = None
    conditions: list[str] = []
    refused: list[Refusal] = []
    allowed: list[str] = []
    submitted_sha256: str | None = None
    accepted_sha256: str | None = None
    revision: Revision | None = None


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
    return result.gate if result.gate is not None and result.gate.required else None


def check_allowed(protocol: "Protocol", allowed: Any) -> None:
    """ConfigError for a flag that a gate of this protocol does not refuse: it is probably misspelt."""
    decides = protocol.get(Decides)
    known = decides.refused if decides else {}
    if unknown := [code for code in separated(allowed) if code not in known]:
        told = f"A gate of {protocol.name} refuses these flags: {', '.join(known) or 'none'}."
        raise ConfigError(f"`allow` names {unknown[0]!r}. {told}", "allow")


def judged(
    config: "RunConfig",
    status: str,
    reason: str | None,
    outcome: BaseModel | None,
    flags: Sequence[Flag],
    entries: Sequence[Entry],
) -> Gate | None:
    """The gate of a run with this outcome and all other flags; None if nothing can be required of its protocol."""
    decides, required = config.protocol.get(Decides), requirement(config.debate)
    if decides is None:
        return None
    found = _found(decides, outcome, entries)
    as_submitted = _meet(found.names, required)
    as_revised = found.revised is not None and _meet(found.revised.names, required)
    met = as_submitted or (as_revised and config.options.accept_revised)
    doubts = [
        Refusal(code=flag.code, ground=decides.refused[flag.code], text=flag.text)
        for flag in flags
        if flag.code in decides.refused
    ]
    allowed = list(dict.fromkeys(one.code for one in doubts if one.code in config.options.allow))
    refused = [one for one in doubts if one.code not in allowed]
    passed = status == "done" and met and not refused
    if status != "done":
        stopped = f": {reason.rstrip('.')}" if reason else ""
        why = f"The debate did not finish{stopped}."
    else:
        why = _why(required, found, as_submitted=as_submitted, as_revised=as_revised, met=met, refused=refused)
    submitted, revision = submitted_sha256(config), _revision(config, found.revised, meets=as_revised)
    accepted = submitted if as_submitted or revision is None else revision.sha256
    return Gate(
        required=list(required),
        passed=passed if required else None,
        why=why if required else "",
        decision=found.decision,
        conditions=found.conditions,
        refused=refused,
        allowed=allowed,
        submitted_sha256=submitted,
        accepted_sha256=accepted if required and passed else None,
        revision=revision,
    )


def submitted_sha256(config: "RunConfig") -> str:
    """The hash of what was submitted: of the bytes that were read, or else of the subject's text."""
    return config.options.submitted or sha256(_subject(config))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def revised_text(result: "Result") -> str | None:
    """The rewrite of what was submitted, if the debate made one."""
    decides = result.stored.config.protocol.get(Decides)
    revised = _found(decides, result.outcome, result.stored.entries()).revised if decides else None
    return revised.text if revised else None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a protocol says of its outcome."""

    names: Sequence[str] = ()
    decision: str | None = None
    conditions: list[str] = field(default_factory=list)
    revised: Revised | None = None


def _found(decides: Decides, outcome: BaseModel | None, entries: Sequence[Entry]) -> _Found:
    """What a decision meets; nothing if there is no outcome, or if the code of a plug-in fails."""
    if outcome is None:
        return _Found()

    def found() -> _Found:
        names = decides.names(outcome, entries) if callable(decides.names) else [getattr(outcome, decides.names, None)]
        met = [name for name in names if name]
        decision = decides.decision(outcome) if decides.decision else next(iter(met), None)
        return _Found(met, decision, list(decides.conditions(outcome)), decides.revised(outcome))

    made = guarded(found)
    return _Found() if isinstance(made, Broken) else made


def _meet(names: Sequence[str], required: Sequence[str]) -> bool:
    return bool({plain_words(one) for one in names} & {plain_words(one) for one in required})


def _revision(config: "RunConfig", revised: Revised | None, *, meets: bool) -> Revision | None:
    if revised is None:
        return None
    both = (_subject(config).splitlines(), revised.text.splitlines())
    diff = "\n".join(difflib.unified_diff(*both, "submitted", "revised", lineterm=""))
    return Revision(sha256=sha256(revised.text), diff=diff, meets=meets)


def _subject(config: "RunConfig") -> str:
    return str(getattr(config.debate, config.protocol.subject.key, None) or "")


def _why(
    required: Sequence[str],
    found: _Found,
    *,
    as_submitted: bool,
    as_revised: bool,
    met: bool,
    refused: Sequence[Refusal],
) -> str:
    """Why the gate of a finished debate passes or not, in words."""
    wanted = f"{_quoted(required)} was required"
    if met and refused:
        first = refused[0]
        return (
            f"The requirement is not met: the decision is unreliable. {first.text} "
            f"To let this pass: --allow {first.code}."
        )
    if met:
        return f"The requirement is met{'' if as_submitted else ' by the text as revised'}: {wanted}."
    if as_revised:
        decided = f", and the decision on the submitted text is “{found.decision}”" if found.decision else ""
        return (
            f"Not as submitted; accepted as revised: {wanted}{decided}. "
            "To take the revised text: --accept-revised FILE."
        )
    decided = f"the decision is “{found.decision}”" if found.decision else "there is no decision"
    return f"The requirement is not met: {wanted}, and {decided}."


def _quoted(required: Sequence[str]) -> str:
    """What is required, between quotation marks: it can be any word, even “for”."""
    return " or ".join(f"“{one}”" for one in required)
