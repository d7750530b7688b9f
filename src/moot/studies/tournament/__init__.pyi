# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.studies.tournament.analysis import analyse as analyse
from moot.studies.tournament.design import Motion as Motion
from moot.studies.tournament.design import Tournament as Tournament
from moot.studies.tournament.figures import Leaderboard as Leaderboard
from moot.studies.tournament.figures import Place as Place

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
