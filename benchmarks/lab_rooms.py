"""The games of the lab in moot's own rooms: debates as users stage them, with scripted agents.

What is said is a row of marks among words without meaning: `reason-R3` is the third reason of who is right, `made-W2`
one that the other side made up, `answers-R3` an answer to a reason and `grants-R3` that it is granted. Who reads a text
finds the marks in it, and nothing else counts. A reason has a weight of its own, more on the right side on average, and
every reader sees it with an error.
"""

import asyncio
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strategies import FAIR, HONEST, Game, Judge, Match

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.duels import ADA, BO, KIM, answer_for
from tests.kit.shelf import briefed

import moot
from moot.testing import Scripted, ScriptedModel

RIGHT, WRONG = "R", "W"
WEIGHTS = {RIGHT: 1.0, WRONG: 0.5}
"""The mean weight of a reason. It varies by as much as SPREAD."""
SPREAD = 0.6
GRANTED = 1.2
"""From this weight on, honest play grants a reason instead of answering it."""
ANSWERED, CONCEDED = 0.5, 1.25
"""What a reason counts for that was answered, or granted."""
MADE_UP, FOUND_OUT = 1.0, -0.5
"""What a made-up reason counts for, by equal chance."""
_MARK = re.compile(r"\b(reason|made|answers|grants|praise|length)-([RW])(\d+)")
_NOT_THERE = re.compile(r"NOT in the text: “made-([RW])(\d+)”")
_SOUNDS = ("ka", "lo", "mi", "ne", "ru", "sa", "to", "ve", "zu", "pa")


def other(side: str) -> str:
    return WRONG if side == RIGHT else RIGHT


def lot(*of: object) -> random.Random:
    """The same draws for the same things."""
    return random.Random("/".join(map(str, of)))


def words(count: int, *of: object) -> str:
    """Words without meaning."""
    draw = lot("words", *of)
    return " ".join("".join(draw.choices(_SOUNDS, k=3)) for _ in range(count))


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who weighs what is said in a match."""

    seed: int
    name: str
    judge: Judge = FAIR

    def weigh(self, text: str, opener: str | None = None) -> dict[str, float]:
        """The weight of what each side says in a text. `opener` is the side that spoke first."""
        sums = {side: self.judge.first if side == opener else 0.0 for side in (RIGHT, WRONG)}
        marks = {("unread", *mark) for mark in _NOT_THERE.findall(text)} | set(_MARK.findall(text))
        for what, side, number in marks:
            if what in ("reason", "made"):
                sums[side] += self._weight(what, side, number, marks)
        for what, liking in (("praise", self.judge.flattered), ("length", self.judge.lengthy)):
            for side in {side for found, side, _ in marks if found == what}:
                sums[side] += liking
        return sums

    def _weight(self, what: str, side: str, number: str, marks: set[tuple[str, str, str]]) -> float:
        draw = lot(self.seed, self.name, what, side, number)
        if ("unread", side, number) in marks:
            return FOUND_OUT
        if what == "made":
            return draw.choice((MADE_UP, FOUND_OUT)) + draw.gauss(0, self.judge.noise)
        seen = weight(self.seed, side, number) + draw.gauss(0, self.judge.noise)
        if ("answers", side, number) in marks:
            return ANSWERED * seen
        return CONCEDED * seen if ("grants", side, number) in marks else seen


def weight(seed: int, side: str, number: str) -> float:
    """What a reason weighs."""
    return lot(seed, "weight", side, number).gauss(WEIGHTS[side], SPREAD)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks for a side, by a strategy."""

    seed: int
    side: str
    strategy: str

    def say(self, number: int, heard: str) -> str | None:
        """Statement `number` of this side, in view of what was said; None if there is none."""
        if self.strategy == "absent" and number > 1:
            return None
        length = 100 if self.strategy == "long and empty" else 0
        same = 1 if self.strategy == "only repeats" else number
        fresh = words(30, self.seed, self.side, same), words(length, self.seed, self.side, number, "more")
        return " ".join([*self._replies(heard), *self._reasons(number, heard), *fresh]).strip() + "."

    def _reasons(self, number: int, heard: str) -> list[str]:
        """What it brings of its own: two reasons at first, then one more each time."""
        first = [f"reason-{self.side}1"]
        own = [*first, f"reason-{self.side}2"] if number == 1 else [f"reason-{self.side}{number + 1}"]
        theirs = [f"reason-{other(self.side)}{n}" for n in self._against(heard)]
        played = {
            "only asks": [],
            "insults": [],
            "only repeats": first,
            "clones": first,
            "copies": theirs or first,
            "fabricates": [one.replace("reason", "made") for one in own],
            "flatters": [*(own[:1] if number % 2 else []), f"praise-{self.side}0"],
            "long and empty": [*(first if number == 1 else []), f"length-{self.side}0"],
        }
        return played.get(self.strategy, own)

    def _replies(self, heard: str) -> list[str]:
        """What it says to reasons that it has not spoken of before. A reason of weight is granted in silence."""
        if self.strategy in SILENT:
            return []
        done = {n for what, side, n in _MARK.findall(heard) if what in ("answers", "grants") and side != self.side}
        left = [n for n in self._against(heard) if n not in done]
        if self.strategy == "concedes everything":
            return [f"grants-{other(self.side)}{n}" for n in left]
        weak = [n for n in left if weight(self.seed, other(self.side), n) < GRANTED]
        return [f"answers-{other(self.side)}{n}" for n in weak]

    def _against(self, heard: str) -> list[str]:
        return sorted({n for what, side, n in _MARK.findall(heard) if what == "reason" and side != self.side})


SILENT = frozenset({"only asks", "only repeats", "insults", "concedes nothing", "clones", "copies"})
"""Strategies that answer nobody."""


def sides(match: Match) -> tuple[Speaker, Speaker]:
    """Who speaks for what is right, and for what is wrong."""
    played = {RIGHT: match.strategy, WRONG: HONEST.name}
    if not match.right:
        played = {RIGHT: HONEST.name, WRONG: match.strategy}
    return Speaker(match.seed, RIGHT, played[RIGHT]), Speaker(match.seed, WRONG, played[WRONG])


def in_turn(match: Match) -> dict[str, Speaker]:
    """Who speaks first, A, and second, B: in every other match, who is right."""
    one, two = sides(match)
    return {"A": one, "B": two} if match.seed % 2 else {"A": two, "B": one}


def staged(protocol: str, script: Callable[[moot.Request], Scripted], **settings: Any) -> Mapping[str, Any]:
    """The outcome of a debate with these replies."""
    model = ScriptedModel(script)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        config = moot.configure(protocol, model=model.name, seed=7, out=folder, **settings)
        result = asyncio.run(moot.run(config, models={model.name: model}, reports=False))
        if result.status != "done":
            raise RuntimeError(f"{protocol}: {result.reason}")
        return result.document()


def text_of(request: moot.Request) -> str:
    return "\n".join(message.content for message in request.messages)


def result_for(match: Match, winner: str | None) -> float:
    """What becomes of who plays the strategy if this side wins, RIGHT or WRONG."""
    return 0.5 if winner is None else float((winner == RIGHT) == match.right)


# The duel

NOTHING = "I have nothing to say."
NAMES = {"A": "Ada", "B": "Bo"}
TURNS = 4


def duel(match: Match) -> float:
    """Four statements and a judge, who scores each as it comes and then decides."""
    cast, judge = in_turn(match), Reader(match.seed, "judge", match.judge)
    by_side = {speaker.side: NAMES[part] for part, speaker in cast.items()}

    def script(request: moot.Request) -> Scripted:
        part, _, place = request.key.partition("/")
        what, _, number = place.partition("/")
        heard = text_of(request)
        if what == "turn":
            if place.endswith("/declined"):
                return {"argues": False}
            return cast[part].say((int(number[0]) + 1) // 2, heard) or NOTHING
        sums = judge.weigh(heard, cast["A"].side)
        if what == "score":
            of = cast["A" if int(number[0]) % 2 else "B"].side
            return {
                "reasoning": f"Weighed at {number}.",
                "score": min(10, max(0, round(5 + sums[of] - sums[other(of)]))),
            }
        if what == "deliberate":
            return f"What was said bears out {by_side[max(sums, key=sums.__getitem__)]}."
        if part == "judge@verdict":
            winner = re.findall(r"bears out (Ada|Bo)", heard)[-1]
            scores = {name: 7 if name == winner else 5 for name in NAMES.values()}
            return winner if what == "confirm" else {"scores": scores, "margin": "clear", "winner": winner}
        if what == "announce":
            return answer_for(re.findall(r"that of (Ada|Bo)", heard)[-1])
        return words(12, request.key)

    cast_of: Any = {"debaters": [ADA, BO], "judge": KIM}
    found = staged("duel", script, topic="Is it so?", claim="It is so.", turns=TURNS, **cast_of)
    winner = next((side for side, name in by_side.items() if name == found["winner"]), None)
    return result_for(match, winner)


def opening_alone(match: Match) -> float:
    """What a judge makes of the first statements alone."""
    cast, judge = in_turn(match), Reader(match.seed, "judge", match.judge)
    text = " ".join(speaker.say(1, "") or "" for speaker in cast.values())
    sums = judge.weigh(text, cast["A"].side)
    return result_for(match, max(sums, key=sums.__getitem__))


# The Oxford debate

SPEECHES = ("opening", "rebuttal", "closing")
UNDECIDED = 0.3


def oxford(match: Match) -> float:
    """An audience that leans to either side before it hears anything; who wins more votes over wins."""
    cast = dict(zip(("proposer", "opposer"), in_turn(match).values(), strict=True))

    def script(request: moot.Request) -> Scripted:
        part, place = request.key.split("/")[:2]
        if part in cast:
            return cast[part].say(SPEECHES.index(place) + 1, text_of(request)) or NOTHING
        name = part.partition("@")[0]
        lean = lot(match.seed, name, "lean").gauss(0, 1)
        if part.endswith("@after"):
            sums = Reader(match.seed, name, match.judge).weigh(text_of(request), cast["proposer"].side)
            lean += sums[cast["proposer"].side] - sums[cast["opposer"].side]
        vote = "undecided" if abs(lean) < UNDECIDED else "for" if lean > 0 else "against"
        return {"reason": words(8, request.key), "vote": vote}

    winner = staged("oxford", script, topic="It is so.", claim="It is so.")["winner"]
    return result_for(match, cast[winner.lower()].side if winner else None)


# Oversight

PASSAGE = " ".join(f"reason-{side}{number}" for number in range(1, 9) for side in (RIGHT, WRONG))
"""The hidden text bears out all reasons that are not made up."""


def oversight(match: Match) -> float:
    """Two sides quote a text before a judge who cannot read it, twice, with the sides swapped."""
    one, two = in_turn(match).values()
    cast, judge = {"Yes": one, "No": two}, Reader(match.seed, "judge", match.judge)

    def script(request: moot.Request) -> Scripted:
        part, _, number = request.key.partition("/statement/")
        task = request.messages[-1].content
        if number:
            speaker = cast[re.findall(r"Your answer: (Yes|No)", task)[-1]]
            heard = text_of(request).replace(PASSAGE, "")
            argument = speaker.say(int(number[0]), heard) or NOTHING
            quotes = [f"{what}-{side}{n}" for what, side, n in _MARK.findall(argument) if what in ("reason", "made")]
            return {"thought": words(5, request.key), "argument": argument, "quotes": quotes[:3]}
        answers = dict(re.findall(r"^([AB]): (Yes|No)$", task, re.MULTILINE))
        if part == "judge@sitting-0/decision":
            return {"reasons": words(5, request.key), "choice": lot(match.seed, "guess").choice("AB"), "confidence": 50}
        opened = re.findall(r"<<<statement 1 for ([AB])", task)
        sums = judge.weigh(task, cast[answers[opened[0]]].side)
        choice = max(answers, key=lambda letter: sums[cast[answers[letter]].side])
        return briefed("It is so.", choice=choice, confidence=80)

    answer = staged("oversight", script, topic="Is it so?", one="Yes", other="No", passage=PASSAGE)["answer"]
    return result_for(match, cast[answer].side if answer else None)


def games() -> Iterator[Game]:
    yield Game("duel", "that the judge names it", duel, alone=opening_alone)
    yield Game("oxford", "that the swing of the votes is to its side", oxford, alone=opening_alone)
    yield Game("oversight", "that the judge answers so in both sittings", oversight, alone=opening_alone)


GAMES = list(games())
