"""The verdict in words for readers who do not know the debate and its notation."""

from collections.abc import Mapping

from moot.api import Header, headline
from moot.protocols.persuasion.moves import SIDES
from moot.protocols.persuasion.result import PersuasionOutcome
from moot.text.prose import listed

MIDDLE = 0.5
SLIGHTLY, CLEARLY = 0.1, 0.3
"""A lead up to the first is slight, from the second on clear."""
LONGEST = 160


def part_of(side: str) -> str:
    """The name of a side: PRO is the proponent."""
    return SIDES["PRO" if side == "PRO" else "OPP"]


def name_of(header: Header, side: str) -> str:
    """The agent of a side."""
    part = part_of(side)
    return next((member.name for member in header.cast if member.id == part), part)


def verdict_in_words(outcome: PersuasionOutcome, header: Header) -> str:
    """Who has the stronger case and by how much, and which argument decides it."""
    return " ".join(filter(None, (_case(outcome, header), _deciding(outcome, header))))


def headline_of(outcome: PersuasionOutcome, answer: str | None) -> str:
    """The moderator's answer or, without one, what became of the claim; and the figure that bears it."""
    side = outcome.winning_side
    if outcome.verdict is None:
        return "No verdict yet"
    if side is None:
        return headline(answer, "no winner") if answer else f"No answer: {_why_nobody(outcome)}"
    upheld = "Upheld" if side == "PRO" else "Not upheld"
    return headline(answer or f"{upheld}: {outcome.proposition}", _figure(outcome, side))


def _figure(outcome: PersuasionOutcome, side: str) -> str:
    if outcome.unmet_burden:
        return "no reason for it is left"
    if outcome.decided_by == "concession":
        return "the other side granted it"
    if outcome.decided_by == "retraction":
        return "the other side withdrew"
    return _figures(*_ahead(outcome, side))


def firmness(outcome: PersuasionOutcome) -> str:
    """How firm the answer is: what was given up, the lead of the scores, and the other ways of weighing them."""
    side = outcome.winning_side
    if side is None:
        return ""
    if outcome.decided_by in ("concession", "retraction"):
        return f"Firm: {_figure(outcome, side)}."
    ahead, behind = _ahead(outcome, side)
    lead = ahead - behind
    others = [one for name, one in outcome.by_semantics.items() if name != "moot"]
    against = sum(one not in (side, None) for one in others)
    shaky = against or outcome.decided_by == "moderator" or (outcome.deciding is not None and outcome.deciding.flips)
    word = "Narrow" if shaky or lead <= SLIGHTLY else "Clear" if lead < CLEARLY else "Firm"
    decided = ", and the moderator decided" if outcome.decided_by == "moderator" else ""
    told = [f"the cases score {_figures(ahead, behind)}{decided}"]
    told += ["it rests on a single argument"] if outcome.deciding is not None and outcome.deciding.flips else []
    told.append(f"of {len(others)} other ways to weigh the arguments, {against or 'none'} would decide otherwise")
    return f"{word}: {'; '.join(told)}."


def _ahead(outcome: PersuasionOutcome, side: str) -> tuple[float, float]:
    """The scores of both cases, the winner's first."""
    phi, denied = _both(outcome.scores)
    return (phi, denied) if side == "PRO" else (denied, phi)


def _case(outcome: PersuasionOutcome, header: Header) -> str:
    claim, side = quoted(outcome.proposition), outcome.winning_side
    if outcome.verdict is None:
        return f"So far {_standing(outcome, claim)}."
    if side is None:
        return f"Nobody wins: {_why_nobody(outcome)}."
    loser = name_of(header, "OPP" if side == "PRO" else "PRO")
    if outcome.unmet_burden:
        return f"{loser} gave no reason for {claim} that still stands, so the case for it fails."
    if outcome.decided_by == "concession":
        return f"{loser} granted that {name_of(header, side)} is right about {claim}."
    if outcome.decided_by == "retraction":
        return f"{loser} took the own position on {claim} back."
    if outcome.decided_by == "root scores":
        return f"{_stronger(outcome, claim, side)}."
    level = f"The cases for and against {claim} come out level, {_figures(*_both(outcome.scores))}"
    if outcome.decided_by == "surviving arguments":
        return f"{level}; the arguments of {name_of(header, side)} that survive weigh more."
    return f"{level}; the moderator decided for {name_of(header, side)}."


def _why_nobody(outcome: PersuasionOutcome) -> str:
    if not outcome.took_part:
        return "neither side made a move"
    if outcome.unmet_burden:
        return f"no reason was given for {quoted(outcome.proposition)}, and nobody spoke against it"
    return "the cases come out level, and the moderator named no winner"


def _stronger(outcome: PersuasionOutcome, claim: str, side: str) -> str:
    phi, denied = _both(outcome.scores)
    if outcome.scores.get("denial") is None:
        holds = "holds" if side == "PRO" else "does not hold"
        return f"The case for {claim} {holds}: it scores {phi:.2f}, and {MIDDLE:.2f} would be neither for nor against"
    lead = abs(phi - denied)
    how = "slightly stronger" if lead <= SLIGHTLY else "stronger" if lead < CLEARLY else "much stronger"
    which = f"The case for {claim}" if side == "PRO" else f"The case against {claim}"
    return f"{which} is {how}, {_figures(*_ahead(outcome, side))}"


def _standing(outcome: PersuasionOutcome, claim: str) -> str:
    phi, denied = outcome.scores.get("claim"), outcome.scores.get("denial")
    if phi is None:
        return f"there is no case for {claim}"
    against = "" if denied is None else f", the case against it {denied:.2f}"
    return f"the case for {claim} scores {phi:.2f}{against}"


def _deciding(outcome: PersuasionOutcome, header: Header) -> str:
    one = outcome.deciding
    if one is None:
        return ""
    named = f"{one.argument}, {quoted(one.content)}"
    if one.equals:
        named += f" ({listed(one.equals)} {'weighs' if len(one.equals) == 1 else 'weigh'} as much)"
    if one.flips:
        then = f"{name_of(header, one.winner)} would win" if one.winner else "neither side would be ahead"
        return f"The argument that decides it is {named}: without it {then}."
    return f"No single argument decides it; the one that weighs most is {named}."


def _both(scores: Mapping[str, float | None]) -> tuple[float, float]:
    phi, denied = scores.get("claim"), scores.get("denial")
    return MIDDLE if phi is None else phi, MIDDLE if denied is None else denied


def _figures(one: float, other: float) -> str:
    """Two scores, with as many decimals as tell them apart."""
    digits = 2 if round(one, 2) != round(other, 2) or one == other else 3
    return f"{one:.{digits}f} to {other:.{digits}f}"


def quoted(text: str) -> str:
    """A statement between quotation marks, in one line and not too long."""
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{short.rstrip('.')}”"
