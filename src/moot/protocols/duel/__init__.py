"""The duel: two debaters and a judge."""

ABOUT = "Two debaters argue before a judge, who scores every turn."
"""For the list of commands, which loads no protocol."""
