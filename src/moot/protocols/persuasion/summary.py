"""The presentation of a persuasion dialogue: the verdict in words, how it was reached, concessions and retractions,
the semantics that would decide differently, and reasons not to rely on it."""

from collections.abc import Sequence

from moot.present import Dissent, Flag, Summary
from moot.protocols.persuasion.payloads import DialogueMove, Framework, PersuasionHeader, SharedContext
from moot.protocols.persuasion.prompts import SIDES
from moot.protocols.persuasion.result import GivenUp, ModeratorVerdict, PersuasionOutcome, UnknownIds
from moot.record.entry import Entry, data_of, header_of
from moot.record.payloads import Header
from moot.text.prose import listed, plural

DECIDED = {
    "concession": "by concession",
    "retraction": "by retraction",
    "root scores": "by the scores of φ and ¬φ",
    "surviving arguments": "by the sums of surviving arguments, as the scores of φ and ¬φ are within 0.01",
    "moderator": "by the moderator, as the rules leave it open",
    "nothing": "by nobody: the rules leave it to the moderator, who named no winner",
}
SEMANTICS = {
    "moot": "The specification’s scores",
    "dfquad": "DF-QuAD scores",
    "grounded": "The grounded extension",
    "preferred": "All preferred extensions",
}
NOT_BEGUN = Summary(headline="The dialogue had not begun", kind="Verdict", decided=False)


def summary(outcome: PersuasionOutcome, entries: Sequence[Entry]) -> Summary:
    header = header_of(entries, PersuasionHeader)
    if not any(isinstance(entry.data, SharedContext) for entry in entries):
        return NOT_BEGUN
    return Summary(
        headline=headline(outcome),
        kind="Verdict",
        decided=outcome.winner is not None,
        reached=_reached(outcome),
        change=_change(outcome, header) if outcome.metrics and outcome.metrics.moves else None,
        dissent=_dissent(outcome),
        flags=[*_verdict_flags(outcome), *_score_flags(outcome), *_record_flags(outcome, header, entries)],
    )


def headline(outcome: PersuasionOutcome) -> str:
    if outcome.winner is None or outcome.winning_side is None:
        return "No verdict yet" if outcome.verdict is None else "No winner"
    return f"{outcome.winner}, the {part_of(outcome.winning_side)}, wins"


def part_of(side: str) -> str:
    """The name of a side: PRO is the proponent."""
    return SIDES["PRO" if side == "PRO" else "OPP"]


def name_of(header: Header, side: str) -> str:
    """The agent of a side."""
    part = part_of(side)
    return next((member.name for member in header.cast if member.id == part), part)


def scores_told(outcome: PersuasionOutcome) -> str:
    def told(sign: str) -> str:
        score = outcome.scores.get(sign)
        return f"s({sign}) = {score:.3f}" if score is not None else f"s({sign}): none"

    return f"{told('φ')}, {told('¬φ')}"


def ended(outcome: PersuasionOutcome) -> str:
    """Why it was over before the last round, if so."""
    if outcome.ended is None:
        return ""
    return f"The dialogue ended early: {outcome.ended}." if outcome.ended_early else f"In the end {outcome.ended}."


def _reached(outcome: PersuasionOutcome) -> str:
    scores, decided = scores_told(outcome), DECIDED.get(outcome.decided_by or "", "")
    if not decided:
        return f"So far {scores}."
    return f"Decided {decided}: {scores}. {ended(outcome)}".rstrip()


def _change(outcome: PersuasionOutcome, header: Header) -> str:
    """The concessions and retractions of both sides."""
    if not (outcome.concessions or outcome.retractions):
        return "Nobody conceded or retracted anything."
    counts = plural(len(outcome.concessions), "concession"), plural(len(outcome.retractions), "retraction")
    told = [_given_up(one, "conceded", header) for one in outcome.concessions]
    told += [_given_up(one, "retracted", header) for one in outcome.retractions]
    return f"{counts[0]} and {counts[1]}: {'; '.join(told)}."


def _given_up(one: GivenUp, how: str, header: Header) -> str:
    return f"{name_of(header, one.side)} {how} {one.proposition} in {one.move}{', by rule' if one.forced else ''}"


def _dissent(outcome: PersuasionOutcome) -> list[Dissent]:
    """The semantics under which the other side wins. There is no vote on a framework, but there are several
    semantics; a conceded or retracted root is lost under any."""
    if outcome.winning_side is None or not outcome.hangs_on_semantics:
        return []
    other = [name for name, side in outcome.by_semantics.items() if side not in (outcome.winning_side, None)]
    reason = f"in favour of the {part_of('OPP' if outcome.winning_side == 'PRO' else 'PRO')}"
    return [Dissent(who=SEMANTICS.get(name, name), reason=reason) for name in other]


def _verdict_flags(outcome: PersuasionOutcome) -> list[Flag]:
    flags = []
    verdict = outcome.verdict
    if verdict and verdict.failure:
        flags.append(_not_whole(outcome, verdict))
    if verdict and outcome.decided_by == "moderator":
        text = "The rules leave the winner open: it is the moderator who named one."
        flags.append(Flag(code="moderator_decided", text=text, severity="note"))
    if outcome.hangs_on_semantics:
        text = "The verdict hangs on the choice of semantics: another way to read the framework decides otherwise."
        flags.append(Flag(code="hangs_on_semantics", text=text))
    by_scores = outcome.by_semantics.get("moot")
    if outcome.winning_side and by_scores not in (outcome.winning_side, None):
        text = (
            f"The verdict goes against the scores, which are for the {part_of(by_scores)} ({scores_told(outcome)}); it "
            f"was decided {DECIDED.get(outcome.decided_by or '', 'otherwise')}."
        )
        flags.append(Flag(code="verdict_against_scores", text=text))
    if verdict and verdict.unfounded:
        number = len(verdict.unfounded)
        text = f"Of the concessions that the moderator names, {number} cannot be found among the moves."
        flags.append(Flag(code="unfounded_concessions", text=text))
    return flags


def _not_whole(outcome: PersuasionOutcome, verdict: ModeratorVerdict) -> Flag:
    if outcome.winner:
        return Flag(code="verdict_not_whole", text=f"The moderator’s verdict is not whole: {verdict.failure}.")
    return Flag(code="no_winner_named", text=f"The moderator named no winner: {verdict.failure}.")


def _score_flags(outcome: PersuasionOutcome) -> list[Flag]:
    found: Framework | None = outcome.framework
    if found and not found.certificate.converged:
        text = "The scores did not converge: arguments around some cycle have no score."
        return [Flag(code="scores_not_converged", text=text)]
    if found and not found.certificate.unique:
        text = "It is not proven that no other scores fit the framework."
        return [Flag(code="scores_not_unique", text=text)]
    return []


def _record_flags(outcome: PersuasionOutcome, header: Header, entries: Sequence[Entry]) -> list[Flag]:
    """Flags about faults during the dialogue."""
    flags = []
    if outcome.metrics and outcome.metrics.forfeited:
        text = f"Turns were forfeited, since no legal move was made: {outcome.metrics.forfeited}."
        flags.append(Flag(code="turns_forfeited", text=text))
    moves = data_of(entries, DialogueMove)
    if unseen := [move.id for move in moves if move.failure]:
        text = f"The moderator did not look at every move before it stood: {listed(unseen)}."
        flags.append(Flag(code="moves_not_looked_at", text=text))
    if outcome.unknown_ids:
        told = "; ".join(f"{', '.join(one.ids)} in {_place(header, one)}" for one in outcome.unknown_ids)
        text = f"Named, and not on record (or no ids at all, but words that look like them): {told}."
        flags.append(Flag(code="unknown_references", text=text))
    return flags


def _place(header: Header, one: UnknownIds) -> str:
    """The place of ids, in words."""
    if one.closing:
        return f"{name_of(header, one.closing)}’s final statement"
    return "the verdict" if one.where == "verdict" else one.where
