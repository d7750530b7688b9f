"""The presentation of a persuasion dialogue: the answer, how it was reached, and reasons not to rely on it."""

from collections.abc import Sequence

from moot.api import Entry, Header, data_of, first_data, header_of, recorded_brief, without_answer
from moot.present import Flag, Summary
from moot.protocols.persuasion.moves import SIDES
from moot.protocols.persuasion.payloads import (
    DialogueJudgement,
    DialogueMove,
    Framework,
    SharedContext,
)
from moot.protocols.persuasion.result import PersuasionOutcome
from moot.protocols.persuasion.words import firmness, headline_of, name_of, verdict_in_words
from moot.text.prose import listed

DECIDED = {
    "concession": "by concession",
    "retraction": "by retraction",
    "root scores": "by the scores of the claim and its denial",
    "surviving arguments": "by the sums of surviving arguments, as those of the claim and its denial are within 0.01",
    "moderator": "by the moderator, as the rules leave it open",
    "nothing": "by nobody",
}
SEMANTICS = {
    "moot": "The specification’s scores",
    "dfquad": "DF-QuAD scores",
    "grounded": "The grounded extension",
    "preferred": "All preferred extensions",
}
SMALL_MARGIN = 0.05
NOT_BEGUN = Summary(headline="The dialogue had not begun", kind="Answer", decided=False)


def summary(outcome: PersuasionOutcome, entries: Sequence[Entry]) -> Summary:
    header = header_of(entries, Header)
    if not any(isinstance(entry.data, SharedContext) for entry in entries):
        return NOT_BEGUN
    brief = recorded_brief(entries, firmness=firmness(outcome))
    judgement = first_data(entries, DialogueJudgement)
    if judgement is not None and judgement.follows not in (None, judgement.winner or ""):
        brief = without_answer(brief)
    return Summary(
        headline=headline_of(outcome, brief.answer),
        kind="Answer",
        decided=outcome.winner is not None,
        reached=verdict_in_words(outcome, header),
        brief=brief,
        flags=[
            *_verdict_flags(outcome),
            *_answer_flags(judgement),
            *_score_flags(outcome),
            *_record_flags(outcome, header, entries),
        ],
    )


def scores_told(outcome: PersuasionOutcome) -> str:
    struck = {one.content for one in outcome.retractions if one.rule == "unbacked"}

    def told(name: str, text: str) -> str:
        score = outcome.scores.get(name)
        if score is not None:
            return f"the {name} {score:.3f}"
        return f"the {name} none" + (", as a reason was owed for it" if text in struck else "")

    return f"{told('claim', outcome.proposition)}, {told('denial', outcome.denial)}"


def ended(outcome: PersuasionOutcome) -> str:
    """Why it was over before the last round, if so."""
    if outcome.ended is None:
        return ""
    return f"The dialogue ended early: {outcome.ended}." if outcome.ended_early else f"In the end {outcome.ended}."


def _no_winner(outcome: PersuasionOutcome, failure: str | None) -> str:
    """Why nobody wins: by rule, or since the moderator named nobody where the rules leave it open."""
    by_rule = outcome.framework is not None and outcome.framework.decided_by == "nothing"
    if by_rule:
        why = "nobody made a move" if not outcome.took_part else "the claim has no reason, and nobody spoke against it"
        return f"There is no winner, by rule: {why}."
    return "There is no winner: the moderator named none" + (f", {failure}." if failure else ".")


def _verdict_flags(outcome: PersuasionOutcome) -> list[Flag]:
    flags = []
    verdict = outcome.verdict
    if verdict and outcome.winner is None:
        flags.append(Flag(code="no_winner", text=_no_winner(outcome, verdict.failure)))
    elif verdict and verdict.failure:
        text = f"The moderator’s verdict is not whole: {verdict.failure}."
        flags.append(Flag(code="verdict_not_whole", text=text))
    if verdict and outcome.decided_by == "moderator":
        text = "The rules leave the winner open: it is the moderator who named one."
        flags.append(Flag(code="moderator_decided", text=text, severity="note"))
    if outcome.decided_by == "root scores" and (margin := outcome.margin) is not None and margin <= SMALL_MARGIN:
        flags.append(Flag(code="small_margin", text=f"The scores of the two cases are only {margin:.3f} apart."))
    if outcome.hangs_on_semantics:
        text = "The verdict depends on the scoring method: another standard method gives another winner."
        flags.append(Flag(code="hangs_on_semantics", text=text))
    if verdict and verdict.unfounded:
        number = len(verdict.unfounded)
        text = f"Of the concessions that the moderator names, {number} cannot be found among the moves."
        flags.append(Flag(code="unfounded_concessions", text=text))
    return flags


def _answer_flags(judgement: DialogueJudgement | None) -> list[Flag]:
    if judgement is None or judgement.follows in (None, judgement.winner) or judgement.winner is None:
        return []
    case = f"the case of {judgement.follows}" if judgement.follows else "neither case"
    why = f"it follows {case}, and {judgement.winner} won."
    text = f"The moderator’s answer contradicts the verdict and is left out: {why}"
    return [Flag(code="answer_contradicts_verdict", text=text)]


def _score_flags(outcome: PersuasionOutcome) -> list[Flag]:
    found: Framework | None = outcome.framework
    if found and not found.certificate.converged:
        text = "The scores did not converge: arguments around some cycle have no score."
        return [Flag(code="scores_not_converged", text=text)]
    if found and not found.certificate.unique:
        text = "These scores may not be the only valid ones."
        return [Flag(code="scores_not_unique", text=text)]
    return []


def _record_flags(outcome: PersuasionOutcome, header: Header, entries: Sequence[Entry]) -> list[Flag]:
    """Flags about faults during the dialogue."""
    flags = []
    context = first_data(entries, SharedContext)
    if context and context.searched and not context.facts:
        left_out = ", ".join(f"{count} {why}" for why, count in context.left_out.items())
        text = "The evidence holds nothing about the topic, so no claim could cite it. Files read: "
        text += f"{context.files}" + (f"; left out: {left_out}." if left_out else ".")
        flags.append(Flag(code="no_facts", text=text))
    if outcome.metrics and outcome.metrics.forfeited:
        text = f"Turns were forfeited, since no legal move was made: {outcome.metrics.forfeited}."
        flags.append(Flag(code="turns_forfeited", text=text))
    if silent := [name_of(header, side) for side in SIDES if side not in outcome.took_part and outcome.verdict]:
        flags.append(Flag(code="side_silent", text=f"Without a single move of their own: {listed(silent)}."))
    moves = data_of(entries, DialogueMove)
    if struck := [one.proposition for one in outcome.retractions if one.rule == "unbacked"]:
        text = f"Struck in the end, since a reason was owed for them and missing: {listed(struck)}."
        flags.append(Flag(code="unbacked_claims", text=text, severity="note"))
    if outcome.deciding and outcome.deciding.flips and not _has_fact(outcome, outcome.deciding.argument):
        text = f"A single argument decides, and no fact is behind it: {outcome.deciding.argument}."
        flags.append(Flag(code="facts_missing", text=text, severity="note"))
    if unseen := [move.id for move in moves if move.failure]:
        text = f"The moderator did not look at every move before it stood: {listed(unseen)}."
        flags.append(Flag(code="moves_not_looked_at", text=text))
    if outcome.unknown_ids:
        told = "; ".join(f"{', '.join(one.ids)} in {one.where}" for one in outcome.unknown_ids)
        text = f"Unknown argument ids: {told}."
        flags.append(Flag(code="unknown_references", text=text))
    return flags


def _has_fact(outcome: PersuasionOutcome, argument: str) -> bool:
    """Whether a fact bears out an argument, or a reason for it, directly or indirectly."""
    found = outcome.framework
    behind, fresh = set[str](), {argument}
    while found and fresh:
        behind |= fresh
        fresh = {one.source for one in found.relations if one.kind == "support" and one.target in fresh} - behind
    return found is not None and any(one.bears for one in found.arguments if one.id in behind)
