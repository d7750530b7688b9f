"""How often does the arena take the best proposal, and how often does it approve? Agents of known strength, judges of
known accuracy and bias, every rule for the vote, several numbers of agents.

A proposal has a quality, drawn at random; voters and judges see it with noise of their own, judges perhaps with a
liking for whatever stands first. All rules get the same draws. Each takes one proposal in every debate, also where it
is only ahead. Beside them: the most first choices, by lot among equals, and the judge alone, by the highest mean score.

It exits with 1 where the arena takes the best less often than both of these, or where a stricter vote approves what a
laxer one does not.

    python benchmarks/deciding.py
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from string import ascii_uppercase
from typing import Any

import moot
from lab_groups import Member, quoted_in
from lab_rooms import GRANTED, RIGHT, SILENT, WRONG, Reader, staged, weight
from moot.protocols.arena.ballots import count
from moot.protocols.arena.config import ArenaConfig, complete
from moot.protocols.arena.decision import chosen, leading_in, verdict_on
from moot.protocols.arena.judging import assess
from moot.protocols.arena.payloads import ArenaVote, JudgeReading
from moot.testing import Scripted
from strategies import HONEST, STRATEGIES, Game, Match

DEBATES = 1000
SIZES = (3, 5, 9)
RULES = ("majority", "supermajority", "unanimous", "borda", "condorcet")
SHOWN = ("majority", "supermajority", "borda")
"""The rules that the table has."""
STRICTER = (("majority", "supermajority"), ("supermajority", "unanimous"))
"""Rules on the same ballots, the laxer first."""
Readings = Mapping[str, tuple[JudgeReading, JudgeReading]]


@dataclass(frozen=True, slots=True)
class World:
    """`voters` and `judge` are the noise with which each sees a quality that varies by 1; `bias` is what a judge adds
    for being shown first, `vanity` what a voter adds to its own. A judge says that it is `sure` whatever it sees."""

    name: str
    voters: float = 1.0
    judge: float = 1.0
    judges: int = 1
    bias: float = 0.0
    vanity: float = 0.0
    sure: float = 0.85
    outlier: bool = False


WORLDS = (
    World("good voters, good judge", 0.5, 0.5),
    World("good voters, poor judge", 0.5, 3.0),
    World("poor voters, good judge", 3.0, 0.5),
    World("poor voters, poor judge", 3.0, 3.0),
    World("judge that favours the first", 0.7, 0.7, bias=2.0),
    World("judge that is never sure", 0.7, 0.7, sure=0.5),
    World("vain voters, good judge", 0.7, 0.5, vanity=3.0),
    World("three judges, one far out", 0.7, 0.7, judges=3, outlier=True),
    World("three good judges, poor voters", 3.0, 0.7, judges=3),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a rule takes, and whether that is approved or left to a person."""

    proposal: str | None
    approved: bool


@dataclass(slots=True)
class Score:
    """In how many debates a rule takes the best proposal, how many it approves, and how many of these are the best."""

    debates: int = 0
    right: int = 0
    approved: int = 0
    approved_right: int = 0

    def add(self, taken: Taken, best: str) -> None:
        self.debates += 1
        self.right += taken.proposal == best
        self.approved += taken.approved
        self.approved_right += taken.approved and taken.proposal == best

    def __str__(self) -> str:
        right = f"{100 * self.right / self.debates:.0f} %"
        if not self.approved:
            return f"{right}; 0 %"
        of_these = 100 * self.approved_right / self.approved
        return f"{right}; {100 * self.approved / self.debates:.0f} %, {of_these:.0f} %"


def draw(world: World, names: Sequence[str], lot: random.Random) -> tuple[str, dict[str, ArenaVote], Readings]:
    """One debate: which proposal is the best, the ballots, and what the judges read."""
    quality = {name: lot.gauss(0, 1) for name in names}
    votes = {voter: _vote(voter, quality, world, lot) for voter in names}
    readings = {f"J{at}": _judge(at, quality, world, lot) for at in range(world.judges)}
    return max(quality, key=quality.__getitem__), votes, readings


def take(config: ArenaConfig, votes: Mapping[str, ArenaVote], readings: Readings) -> Taken:
    """What the arena makes of these votes and readings."""
    tally, assessed = count(config, 7, votes, [[name] for name in votes]), assess(8, readings)
    verdict, _ = verdict_on(config, tally, assessed, conditions=[], hollow=False)
    winner = chosen(config, tally, assessed).winner
    ahead = winner or leading_in(tally, assessed) or assessed.first
    return Taken(ahead, verdict.startswith("approved"))


def _vote(voter: str, quality: Mapping[str, float], world: World, lot: random.Random) -> ArenaVote:
    seen = {
        name: one + lot.gauss(0, world.voters) + (world.vanity if name == voter else 0) for name, one in quality.items()
    }
    return ArenaVote(round=7, labels={}, ranking=sorted(seen, key=lambda name: -seen[name]))


def _judge(
    at: int, quality: Mapping[str, float], world: World, lot: random.Random
) -> tuple[JudgeReading, JudgeReading]:
    """Two readings in opposite orders. Most of a judge's noise is its own opinion, which both readings share."""
    opinion = {name: one + lot.gauss(0, world.judge) for name, one in quality.items()}
    if world.outlier and at == 0:
        favourite = lot.choice(list(quality))
        opinion = {name: 100.0 if name == favourite else -100.0 for name in quality}
    order = lot.sample(list(quality), len(quality))
    return _read(1, order, opinion, world, lot), _read(2, order[::-1], opinion, world, lot)


def _read(
    number: int, order: Sequence[str], opinion: Mapping[str, float], world: World, lot: random.Random
) -> JudgeReading:
    seen = {
        name: opinion[name] + lot.gauss(0, 0.2) + (world.bias if place == 0 else 0) for place, name in enumerate(order)
    }
    return JudgeReading(
        round=8,
        reading=1 if number == 1 else 2,
        labels=dict(zip(ascii_uppercase, order, strict=False)),
        scores={name: {"all": min(10.0, max(0.0, 6 + one))} for name, one in seen.items()},
        ranking=sorted(order, key=lambda name: -seen[name]),
        confidence=world.sure,
    )


def best_by_score(readings: Readings) -> str:
    """The proposal with the highest mean score over all readings of all judges."""
    given = [one for pair in readings.values() for one in pair]
    return max(given[0].scores, key=lambda name: fmean(one.scores[name]["all"] for one in given))


def most_chosen(votes: Mapping[str, ArenaVote], lot: random.Random) -> str:
    """The proposal that most voters put first, by lot among equals."""
    first = Counter(vote.ranking[0] for vote in votes.values())
    return lot.choice([name for name, many in first.items() if many == max(first.values())])


@dataclass(slots=True)
class Played:
    """The scores of the rules, of the votes alone and of the judge alone; `strict` counts what only a stricter vote
    approves."""

    rules: dict[str, Score]
    votes: int = 0
    judge: int = 0
    strict: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.strict and self.rules["majority"].right >= min(self.votes, self.judge)


def play(world: World, size: int, debates: int = DEBATES) -> Played:
    names = ascii_uppercase[:size]
    configs = {
        rule: ArenaConfig.model_validate(
            complete({"topic": "any", "agents": [{"name": name} for name in names], "vote": rule}, from_file=False)
        )
        for rule in RULES
    }
    lot, played = random.Random(f"{world.name}, {size}"), Played({rule: Score() for rule in RULES})
    for _ in range(debates):
        best, votes, readings = draw(world, names, lot)
        taken = {rule: take(config, votes, readings) for rule, config in configs.items()}
        for rule, score in played.rules.items():
            score.add(taken[rule], best)
        played.votes += most_chosen(votes, lot) == best
        played.judge += best_by_score(readings) == best
        played.strict += any(taken[strict].approved and taken[strict] != taken[lax] for lax, strict in STRICTER)
    return played


HEAD = f"""\
| agents | world | votes alone | judge alone | {" | ".join(SHOWN)} |
|---|---|---|---|{"---|" * len(SHOWN)}"""


def row(world: World, size: int, played: Played) -> str:
    """The line of a world in the table."""
    debates = played.rules["majority"].debates
    alone = [f"{100 * right / debates:.0f} %" for right in (played.votes, played.judge)]
    return f"| {size} | {world.name} | {' | '.join([*alone, *(str(played.rules[rule]) for rule in SHOWN)])} |"


# A game of the lab: an arena in which one of five agents plays a strategy, and nobody votes for itself.

AGENTS = ("Ada", "Bo", "Cy", "Di", "Ed")
CRITERIA = ("soundness", "usefulness", "candour")
INSISTS = frozenset(one.name for one in STRATEGIES) - {HONEST.name, "concedes everything", "copies"}
"""Strategies that vote for their own plan, whatever they think of it."""
Texts = Mapping[str, str]


def planners(match: Match) -> list[Member]:
    """Five agents with a plan each, one of which is better on average: that of who plays the strategy, or of another. A
    clone has the same plan as the player."""
    player = match.seed % len(AGENTS)
    best = player if match.right else (player + 1 + match.seed // len(AGENTS) % (len(AGENTS) - 1)) % len(AGENTS)
    found = []
    for seat in range(len(AGENTS)):
        same = match.strategy == "clones" and seat == (player - 1) % len(AGENTS) and seat != best
        strategy = match.strategy if seat == player or same else HONEST.name
        side = RIGHT if seat == best or (same and player == best) else WRONG
        found.append(Member(match.seed, seat, side, strategy, player if same else seat))
    return found


def play_arena(match: Match) -> float:
    """All propose, criticise, revise, vote and are judged; who plays a strategy wants its own plan approved."""
    cast, judge = planners(match), Reader(match.seed, "judge", match.judge)

    def script(request: moot.Request) -> Scripted:
        part, _, place = request.key.partition("/")
        what, texts = place.partition("/")[0], quoted_in(request.messages[-1].content)
        if part.startswith("judge"):
            return _judged(judge, texts)
        member = cast[AGENTS.index(part.partition("@")[0].capitalize())]
        if what == "propose":
            return {"proposal": f"{member.text}.", "decision": _plan(member.voice)}
        if member.strategy == "absent":
            return "?"
        names = list((request.schema or {})["properties"])
        if what == "critique":
            return {name: _issues(member, texts[f"proposal {name.split()[-1]}"]) for name in names}
        if what == "revise":
            return {**_revised(member, texts), "changed_mind": False, "because_of": "nobody"}
        if what in ("agree", "compare"):
            return {name: {"differs_in": "All of it.", "same": "no"} for name in names}
        return _voted(member, texts)

    agents = [{"name": name, "personality": "So."} for name in AGENTS]
    few = {"revision_rounds": 1, "max_extra_rounds": 0}
    found = staged("arena", script, topic="What now?", agents=agents, **few)
    if not (found["verdict"] or "").startswith("approved"):
        return 0.5
    return float(found["decision"] == _plan(match.seed % len(AGENTS)))


def best_at_first(match: Match) -> float:
    """What a judge would take who reads the blind proposals alone."""
    judge, cast = Reader(match.seed, "judge", match.judge), planners(match)
    return float(max(cast, key=lambda one: _sum(judge, one.text)).seat == match.seed % len(AGENTS))


def _plan(number: int) -> str:
    return f"Plan {number} it is."


def _issues(member: Member, text: str) -> list[dict[str, Any]]:
    """Objections to the weak reasons of another's plan."""
    weak = [
        f"answers-{side}{number}"
        for side, number in re.findall(r"reason-([RW])(\d+)", text)
        if weight(member.seed, side, number) < GRANTED
    ]
    silent = member.strategy in SILENT or member.strategy == "concedes everything"
    return [] if silent else [{"issue": one, "suggestion": "", "severity": 50} for one in weak]


def _revised(member: Member, texts: Texts) -> dict[str, str]:
    """The plan as it was; who copies takes another's, in its words."""
    own = f"proposal {member.seat + 1}"
    if member.strategy != "copies":
        return {"proposal": f"{member.text}.", "decision": _plan(member.voice)}
    others = {name: text for name, text in texts.items() if name.startswith("proposal") and name != own}
    taken = max(others.values(), key=lambda text: _sum(Reader(member.seed, f"member {member.seat}"), text))
    decision, _, text = taken.partition("\n\n")
    return {"proposal": text, "decision": decision.strip("*")}


def _voted(member: Member, texts: Texts) -> dict[str, Any]:
    """The vote for the plan that weighs most, with what is held against it; or for one's own. Who concedes nothing
    votes for the worst of the others, against its rivals."""
    worth = _worth(Reader(member.seed, f"member {member.seat}"), texts)
    own = [letter for letter in worth if _plan(member.voice) in texts[f"proposal {letter}"]]
    others = [letter for letter in worth if letter not in own]
    if member.strategy == "concedes nothing" and not own:
        return {"reason": "So.", "choice": min(worth, key=worth.__getitem__), "confidence": 70}
    offered = {"concedes everything": others}.get(member.strategy, (member.strategy in INSISTS and own) or [*worth])
    return {"reason": "So.", "choice": max(offered, key=worth.__getitem__), "confidence": 70}


def _judged(judge: Reader, texts: Texts) -> dict[str, Any]:
    """A reading, in which whatever stands first may have a bonus."""
    worth = _worth(judge, texts)
    worth["A"] += judge.judge.first
    marks = {letter: min(10, max(0, round(5 + 2 * weighs))) for letter, weighs in worth.items()}
    scores: dict[str, Any] = {letter: dict.fromkeys(CRITERIA, mark) for letter, mark in marks.items()}
    scores |= {f"reason_{letter}": "So." for letter in marks}
    return {**scores, "ranking": sorted(worth, key=lambda letter: -worth[letter]), "confidence": 85}


def _worth(reader: Reader, texts: Texts) -> dict[str, float]:
    """What the proposal under each letter weighs, with the objections to it."""
    letters = [name.split()[1] for name in texts if name.startswith("proposal")]
    return {one: _sum(reader, f"{texts[f'proposal {one}']} {texts[f'objections {one}']}") for one in letters}


def _sum(reader: Reader, text: str) -> float:
    return sum(reader.weigh(text).values())


TWO = (
    "whoever repeats a plan proposes none of its own, so that it has a rival fewer, and no one can tell clones from "
    "agents who agree"
)
GAMES = [Game("arena", "that its own plan is approved", play_arena, alone=best_at_first, stays={"clones": TWO})]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debates", type=int, default=DEBATES)
    debates = parser.parse_args().debates
    print(HEAD)
    unsound = []
    for size in SIZES:
        for world in WORLDS:
            played = play(world, size, debates)
            print(row(world, size, played), flush=True)
            if not played.is_sound:
                unsound.append(f"{world.name}, {size} agents")
    for name in unsound:
        print(f"worse than votes and judge alone, or a strict vote approves more: {name}", file=sys.stderr)
    return 1 if unsound else 0


if __name__ == "__main__":
    sys.exit(main())
