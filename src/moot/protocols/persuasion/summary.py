"""The presentation of a persuasion dialogue: the verdict in words, how it was reached, concessions and retractions,
the semantics that would decide differently, and reasons not to rely on it."""

from collections.abc import Sequence

from moot.present import Dissent, Flag, Summary
from moot.protocols.persuasion.moves import OTHER
from moot.protocols.persuasion.payloads import DialogueMove, Framework, PersuasionHeader, SharedContext
from moot.protocols.persuasion.prompts import SIDES
from moot.protocols.persuasion.result import GivenUp, PersuasionOutcome, UnknownIds
from moot.protocols.persuasion.words import name_of, part_of, verdict_in_words
from moot.record.entry import Entry, data_of, first_data, header_of
from moot.record.payloads import Header
from moot.text.prose import listed, plural

DECIDED = {
    "concession": "by concession",
    "retraction": "by retraction",
    "root scores": "by the scores of φ and ¬φ",
    "surviving arguments": "by the sums of surviving arguments, as the scores of φ and ¬φ are within 0.01",
    "moderator": "by the moderator, as the rules leave it open",
    "nothing": "by nobody",
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
        reached=verdict_in_words(outcome, header),
        change=_change(outcome, header) if outcome.metrics and outcome.metrics.moves else None,
        dissent=_dissent(outcome),
        flags=[*_verdict_flags(outcome), *_score_flags(outcome), *_record_flags(outcome, header, entries)],
    )


def headline(outcome: PersuasionOutcome) -> str:
    if outcome.winner is None or outcome.winning_side is None:
        return "No verdict yet" if outcome.verdict is None else "No winner"
    return f"{outcome.winner}, the {part_of(outcome.winning_side)}, wins"


def scores_told(outcome: PersuasionOutcome) -> str:
    struck = {one.content for one in outcome.retractions if one.rule == "unbacked"}
    texts = {"φ": outcome.proposition, "¬φ": outcome.denial}

    def told(sign: str) -> str:
        score = outcome.scores.get(sign)
        if score is not None:
            return f"s({sign}) = {score:.3f}"
        return f"s({sign}): none" + (f", as nothing backed {sign}" if texts[sign] in struck else "")

    return f"{told('φ')}, {told('¬φ')}"


def ended(outcome: PersuasionOutcome) -> str:
    """Why it was over before the last round, if so."""
    if outcome.ended is None:
        return ""
    return f"The dialogue ended early: {outcome.ended}." if outcome.ended_early else f"In the end {outcome.ended}."


def _change(outcome: PersuasionOutcome, header: Header) -> str:
    """What debating changed: the verdict on the opening alone, the scores on the way, concessions and retractions."""
    return " ".join(filter(None, (_first_verdict(outcome), _way(outcome), _given(outcome, header))))


def _first_verdict(outcome: PersuasionOutcome) -> str:
    """The moderator's verdict on the opening alone, compared with the final one."""
    first = outcome.opening
    if first is None or outcome.verdict is None:
        return ""
    if first.failure:
        return "The moderator gave no verdict on the openings alone."
    named = first.winner or "no winner"
    if first.winner == outcome.winner:
        return f"On the openings alone the moderator would have named {named} too."
    return f"Debating changed the verdict: on the openings alone the moderator would have named {named}."


def _way(outcome: PersuasionOutcome) -> str:
    """The scores of the case for φ from the opening to the end."""
    scores = [one.scores.get("φ") for one in outcome.by_round]
    path = [one for one in (*scores, outcome.scores.get("φ") if outcome.verdict else None) if one is not None]
    if len(path) < 2:
        return ""
    return (
        f"From the opening to the end the case for the proposition scored {' → '.join(f'{one:.2f}' for one in path)}."
    )


def _given(outcome: PersuasionOutcome, header: Header) -> str:
    if not (outcome.concessions or outcome.retractions):
        return "Nobody conceded or retracted anything."
    counts = plural(len(outcome.concessions), "concession"), plural(len(outcome.retractions), "retraction")
    told = [_given_up(one, "conceded", header) for one in outcome.concessions]
    told += [_given_up(one, "retracted", header) for one in outcome.retractions]
    return f"{counts[0]} and {counts[1]}: {'; '.join(told)}."


def _given_up(one: GivenUp, how: str, header: Header) -> str:
    return f"{name_of(header, one.side)} {how} {one.proposition} in {one.move}{', by rule' if one.rule else ''}"


def _dissent(outcome: PersuasionOutcome) -> list[Dissent]:
    """The semantics under which the other side wins. There is no vote on a framework, but there are several
    semantics; a conceded or retracted root is lost under any."""
    if outcome.winning_side is None or not outcome.hangs_on_semantics:
        return []
    other = [name for name, side in outcome.by_semantics.items() if side not in (outcome.winning_side, None)]
    reason = f"in favour of the {part_of('OPP' if outcome.winning_side == 'PRO' else 'PRO')}"
    return [Dissent(who=SEMANTICS.get(name, name), reason=reason) for name in other]


def _no_winner(outcome: PersuasionOutcome, failure: str | None) -> str:
    """Why nobody wins: by rule, or since the moderator named nobody where the rules leave it open."""
    by_rule = outcome.framework is not None and outcome.framework.decided_by == "nothing"
    if by_rule:
        why = "nobody made a move" if not outcome.took_part else "φ has no reason, and nobody spoke against it"
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
    if outcome.hangs_on_semantics:
        text = "The verdict hangs on the choice of semantics: another way to read the framework decides otherwise."
        flags.append(Flag(code="hangs_on_semantics", text=text))
    if verdict and verdict.unfounded:
        number = len(verdict.unfounded)
        text = f"Of the concessions that the moderator names, {number} cannot be found among the moves."
        flags.append(Flag(code="unfounded_concessions", text=text))
    return flags


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
    context = first_data(entries, SharedContext)
    if context and context.searched and not context.facts:
        left_out = ", ".join(f"{count} {why}" for why, count in context.left_out.items())
        text = "The evidence holds nothing about the topic, so no claim could cite a fact. Files read: "
        text += f"{context.files}" + (f"; left out: {left_out}." if left_out else ".")
        flags.append(Flag(code="no_facts", text=text))
    if outcome.metrics and outcome.metrics.forfeited:
        text = f"Turns were forfeited, since no legal move was made: {outcome.metrics.forfeited}."
        flags.append(Flag(code="turns_forfeited", text=text))
    if silent := [name_of(header, side) for side in SIDES if side not in outcome.took_part and outcome.verdict]:
        flags.append(Flag(code="side_silent", text=f"Without a single move of their own: {listed(silent)}."))
    moves = data_of(entries, DialogueMove)
    if struck := [one.proposition for one in outcome.retractions if one.rule == "unbacked"]:
        text = f"Struck in the end, since nothing backed them: {listed(struck)}."
        flags.append(Flag(code="unbacked_claims", text=text, severity="note"))
    if silence := _unquestioned(outcome):
        text = f"Untested premises, whose reasons nobody asked for: {listed(silence)}."
        flags.append(Flag(code="unquestioned_premises", text=text, severity="note"))
    if unseen := [move.id for move in moves if move.failure]:
        text = f"The moderator did not look at every move before it stood: {listed(unseen)}."
        flags.append(Flag(code="moves_not_looked_at", text=text))
    if outcome.unknown_ids:
        told = "; ".join(f"{', '.join(one.ids)} in {_place(header, one)}" for one in outcome.unknown_ids)
        text = f"Named, and not on record (or no ids at all, but words that look like them): {told}."
        flags.append(Flag(code="unknown_references", text=text))
    return flags


def _unquestioned(outcome: PersuasionOutcome) -> list[str]:
    """What is in the graph without a fact, a reason or consent: premises that the other side let pass."""
    if outcome.framework is None:
        return []
    reasoned = {one.target for one in outcome.framework.relations if one.kind == "support"}
    bare = [one for one in outcome.framework.arguments if not one.bears and one.id not in reasoned]
    return [one.id for one in bare if one.id not in outcome.commitments.get(OTHER[one.side], [])]


def _place(header: Header, one: UnknownIds) -> str:
    """The place of ids, in words."""
    if one.closing:
        return f"{name_of(header, one.closing)}’s final statement"
    return "the verdict" if one.where == "verdict" else one.where
