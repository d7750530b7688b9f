"""Abstract frameworks for the benchmark, drawn from fixed seeds, in the manner of the ICCMA contests' generators."""

import random
from dataclasses import dataclass
from pathlib import Path

PUBLISHED = Path(__file__).parents[2] / "shared" / "argumentation"
Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Instance:
    name: str
    size: int
    attacks: Pairs


def uniform(size: int, attacks_each: float, seed: int = 1) -> Instance:
    """Erdős–Rényi: attacks between arguments drawn uniformly."""
    dice = random.Random(seed)
    pairs = {(dice.randrange(size), dice.randrange(size)) for _ in range(int(size * attacks_each))}
    return Instance(f"uniform, {size:,}", size, sorted(pairs))


def small_world(size: int, degree: int, rewired: float, both_ways: float, seed: int = 1) -> Instance:
    """Watts–Strogatz: a ring whose links are partly drawn anew, each an attack one way or both."""
    dice = random.Random(seed)
    pairs = set()
    for one in range(size):
        for step in range(1, degree // 2 + 1):
            other = dice.randrange(size) if dice.random() < rewired else (one + step) % size
            ways = [(one, other), (other, one)]
            pairs.update(ways if dice.random() < both_ways else [dice.choice(ways)])
    return Instance(f"small world, {size:,}", size, sorted(pairs))


def grown(size: int, both_ways: float, seed: int = 1) -> Instance:
    """Barabási–Albert: every newcomer is linked to an argument that has many links already."""
    dice = random.Random(seed)
    ends, pairs = [0], set()
    for one in range(1, size):
        other = dice.choice(ends)
        ends += [one, other]
        ways = [(one, other), (other, one)]
        pairs.update(ways if dice.random() < both_ways else [dice.choice(ways)])
    return Instance(f"grown, {size:,}", size, sorted(pairs))


def chain(size: int) -> Instance:
    """Each argument attacks the next: as many rounds of propagation as there are arguments."""
    return Instance(f"chain, {size:,}", size, [(one, one + 1) for one in range(size - 1)])


def grid(side: int) -> Instance:
    """A square in which neighbours attack each other."""
    pairs = [(one, one + 1) for one in range(side * side) if (one + 1) % side]
    pairs += [(one, one + side) for one in range(side * (side - 1))]
    return Instance(f"grid, {side} × {side}", side * side, sorted([*pairs, *((two, one) for one, two in pairs)]))


def published(path: str) -> Instance | None:
    """A framework of the contests themselves, where it is at hand beside the repository."""
    file = PUBLISHED / path
    if not file.exists():
        return None
    lines = [line.split() for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    pairs = [(int(one) - 1, int(other) - 1) for one, other in lines[1:]]
    return Instance(file.stem, int(lines[0][2]), pairs)
