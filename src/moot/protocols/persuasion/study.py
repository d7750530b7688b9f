"""A persuasion dialogue in batches and evaluations: its findings, its versions, and how to ask it a question."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.api import ConfigError, Entry, denied
from moot.api.studies import Asking, Content, Findings, FoundAnswer, Question, Study, Variation
from moot.protocols.persuasion.result import PersuasionOutcome

SIDES = {"PRO": True, "OPP": False}


def find(outcome: PersuasionOutcome, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    return Findings(
        winner=outcome.winner,
        claim=outcome.proposition,
        upheld=SIDES.get(outcome.winning_side or ""),
        decision=outcome.winner,
        scores=outcome.scores or {},
        ordered=True,
    )


def vary(content: Content, changes: Mapping[Variation, bool]) -> Content:
    if changes.get("order"):
        raise ConfigError("the order of a persuasion dialogue is part of its rules and cannot be swapped")
    # Models by name instead of role, because the roles will change hands.
    names = {part: content[part]["name"] for part in ("proponent", "opponent")}
    roles = {names.get(role.casefold(), role): models for role, models in content.get("roles", {}).items()}
    made = {**content, "roles": roles}
    if changes.get("sides"):
        made = _swapped(made)
    if changes.get("claim"):
        # The denial becomes the proposition, and the opponent its proponent.
        claim = made.get("claim") or made["topic"]
        denial = made.get("denial") or denied(claim)
        made = _swapped({**made, "claim": denial, "denial": claim})
    return made


def _swapped(content: Content) -> Content:
    return {**content, "proponent": content["opponent"], "opponent": content["proponent"]}


def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    """The dialogue debates the proposition that one of two answers is the right one."""
    one, other = (question.shown(candidate) for candidate in candidates)
    if question.match == "boolean":
        one, other = candidates
    right = "The right answer is “{}”, and not “{}”."
    return {"topic": question.task, "claim": right.format(one, other), "denial": right.format(other, one)}


def read(outcome: PersuasionOutcome, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:  # noqa: ARG001
    if outcome.winning_side is None:
        return FoundAnswer(None, True, "no side won")
    return FoundAnswer(candidates[outcome.winning_side != "PRO"], False, f"{outcome.winning_side} won")


def refuses(question: Question) -> str | None:
    if len(question.candidates) != 2:
        return "a persuasion is about one proposition, so it needs two choices, or yes and no"
    return None


STUDY = Study(
    find=find,
    answers=bool,
    of_question=("claim", "denial"),
    vary=vary,
    variations=("sides", "claim"),
    asking=Asking(settings, read, refuses=refuses),
)
