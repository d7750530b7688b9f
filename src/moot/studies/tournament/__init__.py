"""Tournaments: which model debates best? Pairs of models on motions, judged by models of other families.

import asyncio
from moot.studies import tournament as tournaments

file = tournaments.read_tournament("league.yaml")
held = tournaments.create_tournament(file, "league.yaml")
print(asyncio.run(tournaments.run_tournament(held)).board.places[0].model)
"""

from moot.studies.batch.rows import Row
from moot.studies.tournament.analysis import analyse
from moot.studies.tournament.documents import leaderboard_of, write_documents
from moot.studies.tournament.figures import Leaderboard, Place
from moot.studies.tournament.file import Motion, TournamentFile, read_tournament
from moot.studies.tournament.running import (
    Ended,
    Tournament,
    TournamentPlan,
    create_tournament,
    plan_tournament,
    run_tournament,
)

__all__ = [
    "Ended",
    "Leaderboard",
    "Motion",
    "Place",
    "Row",
    "Tournament",
    "TournamentFile",
    "TournamentPlan",
    "analyse",
    "create_tournament",
    "leaderboard_of",
    "plan_tournament",
    "read_tournament",
    "run_tournament",
    "write_documents",
]
