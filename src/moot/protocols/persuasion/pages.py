"""What pages show of a persuasion dialogue beyond its report."""

from moot.engine.pages import Ballots

BALLOTS = Ballots("Moves", types=("move", "sent_back", "final_statement", "context", "judgement"))
