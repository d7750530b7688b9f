"""Random legal persuasion dialogues against what the specification says of them.

    python benchmarks/dialogues.py [COUNT] [SEED]
    python benchmarks/dialogues.py growth

Each is played to its end and checked by tests/kit/framework_oracle.py, which shares no code with the program: nobody
holds a claim and its counter-claim, no argument is related to another in two ways, scores follow the formula, nothing
unbacked is left. Exits with 1 on the first fault. `growth` plays dialogues of up to a thousand arguments and prints how
the processor time of their rules, framework and deciding argument grows; it exits with 1 above the exponent 1.3.
"""

import random
import sys
from collections import Counter
from math import log
from pathlib import Path
from statistics import linear_regression
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.dialogues import FACTS, play_at_random, start
from tests.kit.framework_oracle import faults

from moot.protocols.persuasion.deciding import judged
from moot.protocols.persuasion.dialogue import apply, finished, passed
from moot.protocols.persuasion.framework import framework
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import Premise, Proposal
from moot.protocols.persuasion.position import Dialogue

COUNT, MOST_ROUNDS = 10_000, 6
SIZES, STEEPEST = (125, 250, 500, 1000), 1.3


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


def long_dialogue(arguments: int) -> Dialogue:
    """A dialogue of this many arguments, in which both sides reason, attack and ask by turns."""
    game = start(arguments, {})
    while len(game.propositions) < arguments:
        number, side = len(game.moves), game.place[1] if game.place else "PRO"
        offered = legal_moves(game, side)
        wanted = ("since", "why", "claim")[number % 3]
        options = [one for one in offered if one.act == wanted] or [one for one in offered if one.act != "concede"]
        chosen = options[number * 7 % len(options)]
        text = f"Words number {number}."
        premises = [Premise(f"Reason {one} of {number}.") for one in range(4)] if chosen.act == "since" else []
        proposal = Proposal(chosen, text, tuple(premises))
        game = passed(game) if check(game, side, proposal) else apply(game, proposal)
    return finished(game)


def growth() -> int:
    """The least processor time of three for each size, and the exponent with which it grows."""
    points = []
    for size in SIZES:
        took = []
        for _ in range(3):
            began = process_time()
            judged(long_dialogue(size))
            took.append(process_time() - began)
        points.append((log(size), log(min(took))))
        print(f"{size} arguments: {min(took):.2f} s")
    exponent = linear_regression(*zip(*points, strict=True)).slope
    print(f"exponent {exponent:.2f}")
    return int(exponent > STEEPEST)


if __name__ == "__main__":
    sys.exit(growth() if sys.argv[1:] == ["growth"] else main(*map(int, sys.argv[1:])))
