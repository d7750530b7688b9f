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
from dataclasses import dataclass, field, replace
from functools import partial
from math import log
from pathlib import Path
from statistics import linear_regression
from time import process_time

from strategies import Game, Match

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.dialogues import FACTS, play_at_random, start
from tests.kit.framework_oracle import faults

from moot.protocols.persuasion.deciding import judged
from moot.protocols.persuasion.dialogue import apply, finished, passed
from moot.protocols.persuasion.framework import framework
from moot.protocols.persuasion.legal import MOST_PREMISES, check, legal_moves
from moot.protocols.persuasion.moves import OTHER, Option, Premise, Proposal, Side
from moot.protocols.persuasion.payloads import Framework
from moot.protocols.persuasion.position import Dialogue

COUNT, MOST_ROUNDS = 10_000, 6
TOPIC, DENIED, BECAUSE = "We should do it.", "It is not so that ", "It has to be so that "
REASONS = 6
OFTEN_TRUE, ERROR = {True: 0.85, False: 0.45}, 0.1
"""How often reasons are true, with the better case and the other, and how often a side takes one for the contrary."""
FOUND = 0.5
"""How often there is a fact for what is true."""
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
        premises = (
            [Premise(f"Reason {one} of {number}.") for one in range(MOST_PREMISES)] if chosen.act == "since" else []
        )
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


# The game of the lab


@dataclass
class World:
    """What two sides can say for themselves in a match, with `shared` facts or without. A reason is true more often
    where the case is the better one; what is said for a true one is true, and a denial is true of what is false."""

    match: Match
    shared: bool
    texts: dict[Side, list[str]] = field(default_factory=dict)
    true: set[str] = field(default_factory=set)
    facts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        draw = self.lot("reasons")
        for side in OTHER:
            self.texts[side] = [f"{side} has reason {number}." for number in range(REASONS)]
            often = OFTEN_TRUE[side == self.better]
            self.true.update(text for text in self.texts[side] if draw.random() < often)
        found = [text for text in sorted(self.true) if self.lot("found", text).random() < FOUND]
        self.facts = {f"K{number}": text for number, text in enumerate(found, 1)} if self.shared else {}

    @property
    def better(self) -> Side:
        """Both sides are the better one equally often."""
        return "PRO" if self.match.seed % 2 else "OPP"

    @property
    def player(self) -> Side:
        """The side that plays the strategy."""
        return self.better if self.match.right else OTHER[self.better]

    def lot(self, *of: object) -> random.Random:
        return random.Random("/".join(map(str, (self.match.seed, *of))))

    def is_true(self, text: str) -> bool:
        if text.startswith(DENIED):
            return not self.is_true(text.removeprefix(DENIED))
        return text.removeprefix(BECAUSE) in self.true

    def believes(self, side: Side, text: str) -> bool:
        """What a side takes for true; it errs now and then."""
        return self.is_true(text) != (self.lot(side, text).random() < ERROR)

    def faulty(self, proposal: Proposal, strategy: str, attempt: str) -> bool:
        """Whether the moderator sends a move back. It sees insults, empty words and repetitions, and half of what is
        made up; it errs in both directions."""
        text = proposal.content + "".join(one.content for one in proposal.premises)
        made_up = "made up" in text and self.lot("made up", text).random() < 0.5
        fault = strategy == "insults" or made_up or any(word in text for word in ("Empty", "In other words"))
        error = min(0.4, 0.1 * self.match.judge.noise)
        return self.lot("look", text, attempt).random() < (1 - error if fault else error / 4)

    def cited(self, proposal: Proposal, attempt: str) -> Proposal:
        """The move with a fact for each reason that has one, and for any that is made up. The moderator looks at each,
        and errs in both directions."""
        premises, irrelevant = list[Premise](), set[tuple[int, str]]()
        error = min(0.4, 0.1 * self.match.judge.noise)
        for number, premise in enumerate(proposal.premises, 1):
            text = premise.content
            named = [key for key, fact in self.facts.items() if fact == text or "made up" in text][:1]
            premises.append(replace(premise, evidence=tuple(named)))
            fits = 1 - error / 4 if text in self.true else error
            irrelevant.update((number, key) for key in named if self.lot("fits", text, attempt).random() >= fits)
        return replace(proposal, premises=tuple(premises), irrelevant=frozenset(irrelevant))


def honest(world: World, side: Side, game: Dialogue, offered: list[Option]) -> Proposal | None:
    """Gives reasons, answers questions or takes back what has no answer, and asks about or denies what seems false."""
    steps = {one.about: one for one in offered if one.act == "since"}
    own = next((steps[one] for one in game.roots if one in steps), None)
    unused = [text for text in world.texts[side] if game.find(text) is None]
    if own and unused and not game.backed(side, own.about):
        return Proposal(own, "So it is.", tuple(map(Premise, unused[:MOST_PREMISES])))
    for one in offered:
        asked = game.by_id[one.target].act == "why" if one.target else False
        text = game.propositions[one.about].content if game.propositions else ""
        if asked and one.act == "since" and one.about not in game.roots and world.is_true(text):
            return Proposal(one, "Because it is so.", (Premise(BECAUSE + text),))
        if asked and one.act == "retract" and one.about not in game.roots and not world.is_true(text):
            return Proposal(one, "I take that back.")
    for act in ("why", "claim"):
        for one in (one for one in offered if one.act == act and one.attack != "undercut"):
            text = game.propositions[one.about].content if game.propositions else ""
            if act == "claim" and (one.target is None or (one.about in game.roots and game.counter_root is None)):
                return Proposal(one, "It is as I say.")
            if one.about not in game.roots and not world.believes(side, text):
                return Proposal(one, "Why?" if act == "why" else DENIED + text)
    return Proposal(own, "And so it is.", tuple(map(Premise, unused[:MOST_PREMISES]))) if own and unused else None


def strategic(world: World, side: Side, game: Dialogue, offered: list[Option], attempt: str) -> Proposal | None:
    """What the strategy of the match says. Whoever is found out says something else of its kind, or is honest."""
    strategy, said = world.match.strategy, honest(world, side, game, offered)
    step = next((one for one in offered if one.act == "since"), None)
    match strategy:
        case "only asks":
            asks = next((one for one in offered if one.act == "why"), None)
            return Proposal(asks, "Why?") if asks else said if not game.moves else None
        case "only repeats" | "absent":
            return said if not game.moves or (strategy == "only repeats" and not game.backed(side, "A1")) else None
        case "concedes everything":
            gives = next((one for one in offered if one.act == "concede"), None)
            return Proposal(gives, "You are right.") if gives else said
        case "concedes nothing":
            answers = said and (said.option.act in ("why", "retract") or said.content.startswith(DENIED))
            return None if answers or (said and said.option.about not in {"A1", *game.roots}) else said
        case "fabricates" | "long and empty" if step and step.target:
            word = "It is made up" if strategy == "fabricates" else "Empty and long as it may be"
            texts = tuple(
                Premise(f"{word}, {len(game.moves)}, {number}, {attempt}.") for number in range(MOST_PREMISES)
            )
            return Proposal(step, "So it is.", texts)
        case "clones" if said and said.premises and not attempt:
            again = Premise(f"In other words, {said.premises[0].content}")
            return replace(said, premises=(said.premises[0], again))
        case "copies" if step and step.target:
            texts = tuple(Premise(game.propositions[one].content) for one in game.holds(OTHER[side])[:MOST_PREMISES])
            return Proposal(step, "So it is.", texts) if texts else None
    return said


def persuasion(match: Match, *, shared: bool = False) -> float:
    """Two rounds. The moderator looks at every try, and decides where the rules leave it open."""
    world = World(match, shared)
    game = Dialogue(TOPIC, f"Not: {TOPIC}", 2, world.facts)
    while (place := game.place) and place[2] != "closing" and not game.ended:
        side, offered = place[1], legal_moves(game, place[1])
        strategy = match.strategy if side == world.player else "honest"
        said = None
        for attempt in ("", "again"):
            tried = strategic if strategy != "honest" else _honestly
            said = tried(world, side, game, offered, attempt)
            said = said and world.cited(said, attempt)
            if said is None or not world.faulty(said, strategy, f"{game.turn}{attempt}"):
                break
            said = None
        game = passed(game) if said is None or check(game, side, said) else apply(game, said)
    found = framework(finished(game))
    winner = found.winner or _moderated(world, found)
    return float(winner == world.player)


def _honestly(world: World, side: Side, game: Dialogue, offered: list[Option], _: str) -> Proposal | None:
    return honest(world, side, game, offered)


def _moderated(world: World, found: Framework) -> Side:
    """Whom the moderator names, who reads what stands with an error."""
    judge, draw, player = world.match.judge, world.lot("moderator"), world.player
    sums = {side: draw.gauss(0, judge.noise) for side in OTHER}
    for one in found.arguments:
        sums[one.side] += world.is_true(one.content)
    sums["PRO"] += judge.first
    sums[player] += judge.flattered * (world.match.strategy == "flatters")
    sums[player] += judge.lengthy * (world.match.strategy == "long and empty")
    return "PRO" if sums["PRO"] > sums["OPP"] else "OPP"


GAMES = [
    Game("persuasion", "that its case wins, without facts", persuasion),
    Game("persuasion with facts", "that its case wins", partial(persuasion, shared=True)),
]


if __name__ == "__main__":
    sys.exit(growth() if sys.argv[1:] == ["growth"] else main(*map(int, sys.argv[1:])))
