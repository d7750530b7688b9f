"""The persuasion dialogue: a formal game of claims, questions and reasons that builds an argument graph."""

ABOUT = "Two sides play a formal dialogue, whose rules code keeps."
"""For the list of commands, which loads no protocol."""
