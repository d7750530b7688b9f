"""The chaired debate: seven roles, and sources that are checked."""
