"""Counting: a table of rules, weighted counts, and finding a name in a sentence."""
