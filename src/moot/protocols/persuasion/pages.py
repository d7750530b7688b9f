"""Parts of a persuasion dialogue that pages show in addition to its report."""

from moot.engine.define.capabilities import Ballots

BALLOTS = Ballots("Moves", types=("move", "sent_back", "final_statement", "context", "judgement"))
