"""Re-judging: a debate that is over, read by other judges or counted by another rule. Nothing is debated again."""
