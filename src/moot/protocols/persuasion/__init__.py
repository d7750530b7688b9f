"""The persuasion dialogue: a formal game of claims, questions and reasons that builds an argument graph."""

ABOUT = "Two sides argue step by step under rules that code enforces."
"""For the list of commands, which loads no protocol."""
