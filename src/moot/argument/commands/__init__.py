"""Commands over argument graphs."""
