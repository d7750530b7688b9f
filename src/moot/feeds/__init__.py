"""The pulse: current titles from feeds, as topics for a debate."""
