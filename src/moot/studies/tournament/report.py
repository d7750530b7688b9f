"""The leaderboard of a tournament in the report of its batch, by the words of `report.yaml`."""

from moot.studies.page import Findings
from moot.studies.template import template_of
from moot.studies.tournament.design import Tournament
from moot.studies.tournament.figures import Leaderboard


def findings(board: Leaderboard, design: Tournament) -> Findings:
    """The leaderboard with its tables and notes, for the report of its batch."""
    ahead = [
        (pair.ahead, pair.second if pair.ahead == pair.first else pair.first) for pair in board.pairs if pair.ahead
    ]
    first = [place.model for place in board.places if place.place == 1]
    values = {
        **dict(board),
        "tested": any(pair.p is not None for pair in board.pairs),
        "apart": [f"{winner} over {other}" for winner, other in ahead],
        "beaten": sum(winner in first for winner, _ in ahead),
    }
    families = {pair: design.family_of(pair) for pair in dict.fromkeys([*design.models, *design.judges])}
    made = {
        "Judges": ", ".join(design.judges),
        "Families": "; ".join(f"{pair}: {family}" for pair, family in families.items()),
    }
    return template_of("tournament").findings("tournament", values, board.notes, made)
