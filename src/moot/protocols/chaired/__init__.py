"""The chaired debate: seven roles, and sources that are checked."""

ABOUT = "A chair holds two sides to rules, and a verifier checks every source they cite."
"""For the list of commands, which loads no protocol."""
