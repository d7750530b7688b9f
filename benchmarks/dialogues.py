"""Random legal persuasion dialogues against what the specification says of them.

    python benchmarks/dialogues.py [COUNT] [SEED]

Each is played to its end and checked by tests/kit/framework_oracle.py, which shares no code with the program: nobody
holds a claim and its counter-claim, no argument is related to another in two ways, scores follow the formula, nothing
unbacked is left. Exits with 1 on the first fault.
"""

import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.dialogues import FACTS, play_at_random
from tests.kit.framework_oracle import faults

from moot.protocols.persuasion.framework import framework

COUNT, MOST_ROUNDS = 10_000, 6


def main(count: int = COUNT, first: int = 0) -> int:
    seen = Counter[str]()
    for seed in range(first, first + count):
        lot = random.Random(seed)
        game = play_at_random(lot, lot.randint(1, MOST_ROUNDS), FACTS if lot.random() < 0.7 else {})
        found = framework(game)
        if wrong := faults(game.moves, found):
            print(f"seed {seed}: {'; '.join(wrong)}")
            return 1
        seen.update(f"retracted as {move.rule}" for move in game.moves if move.act == "retract" and move.rule)
        seen.update(f"{one.kind}s" for one in found.relations)
        seen.update({"moves": len(game.moves), "arguments": len(found.arguments)})
        seen["without certain scores"] += not found.certificate.converged
        seen[f"decided by {found.decided_by}"] += 1
    print(f"{count} dialogues, no fault. " + ", ".join(f"{name}: {number}" for name, number in sorted(seen.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
