"""How often does the arena's rule take the best proposal? Agents of known strength, judges of known accuracy and bias.

A proposal has a quality, drawn around its author's strength; voters and judges see it with noise of their own, judges
perhaps with a liking for whatever stands first. Compared, on the same draws: the plain majority (the most votes, by lot
among equals), the judge alone (the highest mean score over all judges), the rule, and what the rule would be if judges
who are stable, unanimous and sure overruled a vote that carried. Each takes one proposal in every debate, also where it
is only ahead; of the last two is counted besides how many they approve, and how many of these are the best. It exits
with 1 where the rule is worse than both the majority and the judge alone.

    python benchmarks/deciding.py
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from moot.protocols.arena.config import ArenaConfig, complete
from moot.protocols.arena.decision import chosen, sure, verdict_on
from moot.protocols.arena.judging import assess
from moot.protocols.arena.payloads import Assessment, JudgeReading, Tally
from moot.voting.rules import Ballot, elect

DEBATES = 4000
AGENTS = ("Ada", "Bo", "Cy", "Di", "Ed")


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

    proposal: str
    approved: bool = True


@dataclass(slots=True)
class Score:
    """Of how many debates a rule takes the best proposal, how many it approves, and how many of these are the best."""

    debates: int = 0
    right: int = 0
    approved: int = 0
    approved_right: int = 0

    def add(self, taken: Taken, best: str) -> None:
        self.debates += 1
        self.right += taken.proposal == best
        self.approved += taken.approved
        self.approved_right += taken.approved and taken.proposal == best

    @property
    def rate(self) -> float:
        return self.right / self.debates


def drawn(world: World, config: ArenaConfig, lot: random.Random) -> tuple[str, dict[str, Taken]]:
    """One debate: which proposal is the best, and what each rule takes."""
    quality = {name: lot.gauss(0, 1) for name in AGENTS}
    ballots = [_vote(voter, quality, world, lot) for voter in AGENTS]
    election = elect("majority", AGENTS, ballots)
    plurality = {name: sum(ballot.ranking[0] == name for ballot in ballots) for name in AGENTS}
    most = lot.choice([name for name in AGENTS if plurality[name] == max(plurality.values())])
    readings = {f"J{at}": _judge(at, quality, world, lot) for at in range(world.judges)}
    assessed = assess(8, readings)
    means = _means(readings)
    more = {"groups": [], "voters": len(AGENTS), "cycle": [], "self_votes": 0.0, "abstained": []}
    tally = Tally(
        round=7,
        rule="majority",
        winner=election.winner,
        scores={name: str(score) for name, score in election.scores.items()},
        reason=election.reason,
        **more,  # type: ignore[arg-type]
    )
    verdict, _ = verdict_on(config, tally, assessed, conditions=None, hollow=False)
    now = Taken(chosen(config, tally, assessed).winner or assessed.first or most, verdict.startswith("approved"))
    against = election.winner not in (None, assessed.first) and sure(config, assessed)
    return max(quality, key=quality.__getitem__), {
        "majority": Taken(most),
        "judge": Taken(max(means, key=means.__getitem__)),
        "now": now,
        "overruling": _overruled(config, assessed) if against else now,
    }


def _vote(voter: str, quality: dict[str, float], world: World, lot: random.Random) -> Ballot:
    seen = {
        name: one + lot.gauss(0, world.voters) + (world.vanity if name == voter else 0) for name, one in quality.items()
    }
    return Ballot(voter, (max(seen, key=seen.__getitem__),))


def _judge(at: int, quality: dict[str, float], world: World, lot: random.Random) -> tuple[JudgeReading, JudgeReading]:
    """Two readings in opposite orders. Most of a judge's noise is its own opinion, which both readings share."""
    if world.outlier and at == 0:
        favourite = lot.choice(AGENTS)
        opinion = {name: 100.0 if name == favourite else -100.0 for name in AGENTS}
    else:
        opinion = {name: one + lot.gauss(0, world.judge) for name, one in quality.items()}
    order = lot.sample(AGENTS, len(AGENTS))
    return _read(1, order, opinion, world, lot), _read(2, order[::-1], opinion, world, lot)


def _read(
    number: int, order: Sequence[str], opinion: dict[str, float], world: World, lot: random.Random
) -> JudgeReading:
    seen = {
        name: opinion[name] + lot.gauss(0, 0.2) + (world.bias if place == 0 else 0) for place, name in enumerate(order)
    }
    scores = {name: {"all": min(10.0, max(0.0, 6 + one))} for name, one in seen.items()}
    return JudgeReading(
        round=8,
        reading=1 if number == 1 else 2,
        labels=dict(zip("ABCDE", order, strict=True)),
        scores=scores,
        ranking=sorted(order, key=lambda name: -seen[name]),
        reasons={},
        confidence=world.sure,
        failure=None,
    )


def _means(readings: dict[str, tuple[JudgeReading, JudgeReading]]) -> dict[str, float]:
    """The mean score of each proposal over all readings of all judges."""
    all_of_them = [one for pair in readings.values() for one in pair]
    return {name: fmean(one.scores[name]["all"] for one in all_of_them) for name in AGENTS}


def _overruled(config: ArenaConfig, assessed: Assessment) -> Taken:
    """What judges would take against a vote that carried."""
    assert assessed.first is not None
    return Taken(assessed.first, assessed.scores[assessed.first] >= config.pass_mark)


RULES = ("majority", "judge", "now", "overruling")


def play(world: World, debates: int = DEBATES) -> dict[str, Score]:
    config = ArenaConfig.model_validate(complete({"topic": "any", "agents": 5}, from_file=False))
    lot, scores = random.Random(world.name), {rule: Score() for rule in RULES}
    for _ in range(debates):
        best, taken = drawn(world, config, lot)
        for rule, score in scores.items():
            score.add(taken[rule], best)
    return scores


def is_sound(scores: dict[str, Score]) -> bool:
    """Whether the rule takes the best at least as often as the worse of majority and judge does."""
    return scores["now"].rate >= min(scores["majority"].rate, scores["judge"].rate)


def row(name: str, scores: dict[str, Score]) -> str:
    """The line of a world in the table."""
    told = [f"{100 * scores[rule].rate:.0f} %" for rule in RULES]
    for one in (scores["now"], scores["overruling"]):
        approved, right = one.approved / one.debates, one.approved_right / max(1, one.approved)
        told.append(f"{100 * approved:.0f} %, {100 * right:.0f} %")
    return f"| {name} | {' | '.join(told)} |"


HEAD = """\
| world | majority | judge alone | the rule | overruling | the rule: approved, of these the best | overruling |
|---|---|---|---|---|---|---|"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debates", type=int, default=DEBATES)
    debates = parser.parse_args().debates
    print(HEAD)
    worse = []
    for world in WORLDS:
        scores = play(world, debates)
        print(row(world.name, scores), flush=True)
        if not is_sound(scores):
            worse.append(world.name)
    for name in worse:
        print(f"worse than both the majority and the judge alone: {name}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
