"""The chaired debate: seven roles, and sources that are checked."""

ABOUT = "Two sides debate under a chair; a verifier checks every source."
"""For the list of commands, which loads no protocol."""
