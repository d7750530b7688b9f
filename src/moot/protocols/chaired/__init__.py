"""The chaired debate: seven roles, and sources that are checked."""

ABOUT = "A chair holds two sides to rules; their sources are verified."
"""For the list of commands, which loads no protocol."""
