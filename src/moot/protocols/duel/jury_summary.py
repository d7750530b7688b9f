"""The result of a jury, for readers."""

from moot.present import Flag
from moot.protocols.duel.result import Jury
from moot.text.prose import listed, plural


def by_jury(jury: Jury) -> str:
    """How the jury voted, and what the order of the statements did to it."""
    voted = [vote for vote in jury.votes.values() if vote is not None]
    counts = [f"{voted.count(name)} for {name}" for name in jury.scores]
    if lost := len(jury.votes) - len(voted):
        counts.append(f"{lost} for nobody")
    order = f"; {jury.first_shown} of {plural(jury.readings, 'reading')} for the debater shown first"
    told = f"{listed(counts)}{order if jury.readings else ''}"
    return f"By a jury of {len(jury.votes)}, each reading in both orders: {told}."


def jury_flags(jury: Jury | None) -> list[Flag]:
    if jury is None:
        return []
    flags = []
    voted = {vote for vote in jury.votes.values() if vote is not None}
    if len(voted) > 1:
        flags.append(Flag(code="jury_split", text=f"The jury is split: {by_jury(jury).partition(': ')[2]}"))
    if jury.swayed:
        swayed = listed(jury.swayed)
        text = f"Named another winner with the statements in the other order, and so counts for nobody: {swayed}."
        flags.append(Flag(code="jury_unstable", text=text))
    behind = list(jury.votes.values()).count(jury.winner) if jury.winner else 0
    if jury.winner and 2 * behind <= len(jury.votes):
        text = f"No majority of the jury is behind it: {behind} of {len(jury.votes)} voted for {jury.winner}."
        flags.append(Flag(code="jury_short", text=text))
    return flags
