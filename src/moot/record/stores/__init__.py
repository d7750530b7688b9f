"""Storage of runs: the interface, and the folder. The room `database` has another place, with the same guarantees."""
