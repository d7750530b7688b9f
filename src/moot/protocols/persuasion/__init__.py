"""The persuasion dialogue: a formal game of claims, questions and reasons that builds an argument graph."""

ABOUT = "A proponent and an opponent play a formal dialogue by rules that code keeps."
"""For the list of commands, which loads no protocol."""
