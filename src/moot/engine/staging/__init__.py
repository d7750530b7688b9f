"""Runs: opened, played, resumed, forked, replayed, planned, found again."""
