"""Tournaments: which model debates best? A batch in which pairs of models debate motions before models of other
families."""

from moot.studies.tournament.analysis import analyse as analyse
from moot.studies.tournament.design import Motion as Motion
from moot.studies.tournament.design import Tournament as Tournament
from moot.studies.tournament.figures import Leaderboard as Leaderboard
from moot.studies.tournament.figures import Place as Place
