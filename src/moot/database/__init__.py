"""Runs in PostgreSQL, shared by servers and workers, with the guarantees of runs in folders."""
