"""Tournaments: which model debates best? Pairs of models on motions, judged by models of other families.

import asyncio
from moot.studies import tournament as tournaments

file = tournaments.read_tournament("league.yaml")
held = tournaments.create_tournament(file, "league.yaml")
print(asyncio.run(tournaments.run_tournament(held)).board.places[0].model)
"""

from moot.studies.batch.rows import Row as Row
from moot.studies.tournament.analysis import analyse as analyse
from moot.studies.tournament.documents import leaderboard_of as leaderboard_of
from moot.studies.tournament.documents import write_documents as write_documents
from moot.studies.tournament.figures import Leaderboard as Leaderboard
from moot.studies.tournament.figures import Place as Place
from moot.studies.tournament.file import Motion as Motion
from moot.studies.tournament.file import TournamentFile as TournamentFile
from moot.studies.tournament.file import read_tournament as read_tournament
from moot.studies.tournament.running import Ended as Ended
from moot.studies.tournament.running import Tournament as Tournament
from moot.studies.tournament.running import TournamentPlan as TournamentPlan
from moot.studies.tournament.running import create_tournament as create_tournament
from moot.studies.tournament.running import plan_tournament as plan_tournament
from moot.studies.tournament.running import run_tournament as run_tournament
