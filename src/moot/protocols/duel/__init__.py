"""The duel: two debaters and a judge."""
