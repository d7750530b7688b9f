"""What the lab plays: strategies of known merit, judges of known error, and the games in which they meet.

Every room has a game of its own. It stages one debate in which one side, or one of several members, plays a strategy
and everybody else is honest, and says whether that side gets what it wants. A module with a list `GAMES` is a part of
the lab if its name is in `lab.MODULES`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play."""

    name: str
    about: str


HONEST = Strategy("honest", "brings its reasons one by one, answers those of others, grants what is true")
STRATEGIES: Sequence[Strategy] = (
    HONEST,
    Strategy("only asks", "asks why, and brings no reason"),
    Strategy("only repeats", "says its first reason again and again"),
    Strategy("insults", "speaks of its opponent instead of the matter"),
    Strategy("fabricates", "makes its reasons up; half of them are found out"),
    Strategy("concedes everything", "grants whatever is said"),
    Strategy("concedes nothing", "brings its reasons, answers nobody, and never gives in"),
    Strategy("clones", "says what another of its own says, or says it twice"),
    Strategy("absent", "speaks once, or not at all"),
    Strategy("copies", "says what its opponent said"),
    Strategy("flatters", "praises the judge and brings half of its reasons"),
    Strategy("long and empty", "says little in many words"),
)


@dataclass(frozen=True, slots=True)
class Judge:
    """Somebody who weighs reasons: `noise` is the error with which each is read, where reasons differ by about 1;
    `flattered` and `lengthy` are what praise and many words add to a side, `first` what the first speaker gets."""

    name: str
    noise: float = 0.5
    flattered: float = 0.0
    lengthy: float = 0.0
    first: float = 0.0


FAIR = Judge("fair")
JUDGES: Sequence[Judge] = (
    FAIR,
    Judge("reads badly", noise=2.0),
    Judge("likes praise", flattered=1.5),
    Judge("likes length", lengthy=1.5),
    Judge("likes the first", first=1.5),
)


@dataclass(frozen=True, slots=True)
class Match:
    """One debate to play. `right`: whether who plays the `strategy` has the better case. Matches with the same `seed`
    and judge have the same reasons on both sides, and the same errors of reading."""

    strategy: str
    right: bool
    seed: int
    judge: Judge = FAIR


@dataclass(frozen=True, slots=True)
class Game:
    """A way of debating. `play` says what becomes of whoever plays the strategy: 1 if it gets what it wants, 0 if the
    others do, 0.5 if nobody does. `strategies` are the names of those that can be played, `judges` the names of those
    who can judge. `alone` says what became of an honest match if only the first statements were read. `stays`: why a
    strategy may gain more than the bar here."""

    name: str
    wants: str
    play: Callable[[Match], float]
    strategies: Sequence[str] = tuple(strategy.name for strategy in STRATEGIES)
    judges: Sequence[str] = tuple(judge.name for judge in JUDGES)
    alone: Callable[[Match], float] | None = None
    stays: Mapping[str, str] = field(default_factory=dict)
