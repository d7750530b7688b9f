"""The persuasion dialogue: a formal game of claims, questions and reasons that builds an argument graph."""
