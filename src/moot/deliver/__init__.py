"""Deliveries: the result of a debate is sent once to each place that asked for it, even across a crash."""
