"""Storage of runs: in a folder each, or together in a PostgreSQL database. Both give the same guarantees."""
