"""The games of the lab in which one of several members plays a strategy: council, multiagent, Delphi and the panel.

Each member holds what is right or what is wrong, and has two reasons for it. Honest members read what others say, and
go over to the other side if it weighs more to them. Who plays a strategy sits anywhere, and wants what it holds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.kit.panels import opinion, plain, ruling
from tests.kit.shelf import briefed

import moot
from lab_rooms import RIGHT, WRONG, Reader, lot, other, result_for, staged, words
from moot.testing import Scripted
from strategies import STRATEGIES, Game, Match

MEMBERS = 5
RIGHT_AT_FIRST = 0.6
"""How many of the others are right before they hear anybody."""
BAD = "?"
_QUOTED = re.compile(r"<<<(\w[^\n]*?) (\w{8})>>>\n(.*?)\n<<<end \2>>>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Member:
    """A member in its seat, and how it plays."""

    seed: int
    seat: int
    side: str
    strategy: str
    voice: int
    """The seat whose reasons it gives."""

    @property
    def text(self) -> str:
        """What it says for its side."""
        first, second = (f"reason-{self.side}{10 * self.voice + n}" for n in (1, 2))
        said = {
            "only asks": [],
            "insults": [],
            "only repeats": [first, first],
            "fabricates": [one.replace("reason", "made") for one in (first, second)],
            "flatters": [first, f"praise-{self.side}0"],
            "long and empty": [first, f"length-{self.side}0", words(100, self.seed, self.seat)],
        }.get(self.strategy, [first, second])
        return " ".join([*said, words(20, self.seed, self.voice)])

    def holds(self, text: str, heard: Sequence[str]) -> str:
        """The side it is on after it has read what others said. `text` is all of it, `heard` the side of each."""
        if self.strategy == "concedes nothing":
            return self.side
        if self.strategy == "concedes everything" and heard:
            return max((RIGHT, WRONG), key=heard.count)
        if self.strategy == "copies" and heard:
            return heard[0]
        sums = Reader(self.seed, f"member {self.seat}").weigh(f"{self.text} {text}")
        return self.side if sums[self.side] >= sums[other(self.side)] else other(self.side)


def members(match: Match, count: int = MEMBERS) -> list[Member]:
    """The members, of whom one plays the strategy."""
    draw, player = lot(match.seed, "members"), match.seed % count
    wanted = RIGHT if match.right else WRONG
    held = [RIGHT if draw.random() < RIGHT_AT_FIRST else WRONG for _ in range(count)]
    held[player] = wanted
    found = []
    for seat, side in enumerate(held):
        cloned = match.strategy == "clones" and side == wanted
        strategy = match.strategy if seat == player else "honest"
        found.append(Member(match.seed, seat, side, strategy, player if cloned else seat))
    return found


def seat_in(key: str) -> int:
    """The seat of a member by the key of a call."""
    return int(re.findall(r"-(\d+)", key)[0]) - 1


def quoted_in(text: str) -> dict[str, str]:
    """What is quoted in a request, by its name."""
    return {name: said for name, _, said in _QUOTED.findall(text)}


def sides_held(texts: Mapping[str, str]) -> list[str]:
    return [found[-1] for text in texts.values() if (found := re.findall(r"side ([RW])", text))]


# The council

REFUSAL = "I cannot help with that request."


def council(match: Match) -> float:
    """Answers, blind rankings, and a chairman who follows the answer that stands highest with the members and him."""
    cast, chairman = members(match), Reader(match.seed, "chairman", match.judge)

    def script(request: moot.Request) -> Scripted:
        task = request.messages[-1].content
        texts = {name[-1]: text for name, text in quoted_in(task).items() if name.startswith("answer ")}
        if request.key == "chairman/final":
            means = {letter: float(mean) for letter, mean in re.findall(r"\b([A-Z]) (\d\.\d)", task)}
            weighed = {letter: _worth(chairman, text) - means.get(letter, MEMBERS) for letter, text in texts.items()}
            best = max(weighed, key=weighed.__getitem__)
            return briefed("It is so.", in_full="It is so.", follows=best)
        member = cast[seat_in(request.key)]
        if request.key.endswith("/answer"):
            return REFUSAL if member.strategy == "absent" else f"{member.text} side {member.side}"
        if member.strategy == "absent":
            return BAD
        reader = Reader(match.seed, f"member {member.seat}")
        order = sorted(texts, key=lambda letter: -_worth(reader, texts[letter]))
        if member.strategy == "concedes nothing":  # its own side first, and of the others the best last
            own, others = ([one for one in order if sides_held({"": texts[one]}) == [side]] for side in _both(member))
            order = [*own, *(one for one in order if texts[one] == REFUSAL), *others[::-1]]
        declining = [letter for letter, text in texts.items() if text == REFUSAL]
        return {**dict.fromkeys(texts, "As it is."), "declining": declining, "ranking": order}

    follows = staged("council", script, topic="Is it so?", agents=MEMBERS)["follows"]
    return result_for(match, cast[seat_in(follows.replace(" ", "-"))].side if follows else None)


def _both(member: Member) -> tuple[str, str]:
    return member.side, other(member.side)


def _worth(reader: Reader, answer: str) -> float:
    """What an answer is worth to a reader, for whichever side."""
    return sum(reader.weigh(answer).values()) - 9 * (answer == REFUSAL)


# Multiagent


def multiagent(match: Match) -> float:
    """Everybody answers, reads the others and answers again; the majority of the last answers counts."""
    cast = members(match)

    def script(request: moot.Request) -> Scripted:
        member, number = cast[seat_in(request.key)], request.key[-1]
        if member.strategy == "absent":
            return BAD
        if number == "0":
            return f"{member.text}\n\nBECAUSE: side {member.side}\n\nANSWER: {member.side}"
        texts = quoted_in(request.messages[-1].content)
        heard = [found[-1] for text in texts.values() if (found := re.findall(r"ANSWER: ([RW])", text))]
        side = member.holds(" ".join(texts.values()), heard)
        moved = "" if side == member.side else "My second step was wrong."
        return {"reasons": member.text, "moved_by": moved, "because": f"side {side}", "answer": side}

    found = staged("multiagent", script, topic="Is it so?", agents=MEMBERS, rounds=1)
    return result_for(match, found["answer"])


def first_majority(match: Match) -> float:
    """What most members hold before they hear anybody."""
    held = [member.side for member in members(match)]
    return result_for(match, max(held, key=held.count))


# Delphi

FIGURES = {RIGHT: 100.0, WRONG: 150.0}
"""What each side takes for the number, and how far its members are off."""
OFF = 15.0
FAR = 400.0
"""What who insists on what is wrong says, to move the median."""


def delphi(match: Match) -> float:
    """Everybody estimates, reads the others and estimates again; the median of the last estimates counts."""
    cast = members(match)

    def first(member: Member) -> float:
        drawn = FIGURES[member.side] + lot(match.seed, member.seat, "estimate").gauss(0, OFF)
        far = FAR if member.side == WRONG else -FAR
        return round(far if member.strategy == "concedes nothing" else drawn, 1)

    def script(request: moot.Request) -> Scripted:
        member, number = cast[seat_in(request.key)], int(request.key[-1])
        if member.strategy == "absent":
            return BAD
        texts, now, moved = quoted_in(request.messages[-1].content), first(member), ""
        heard = sides_held(texts)
        if number > 1 and member.holds(" ".join(texts.values()), heard) != member.side:
            now, moved = round((now + FIGURES[other(member.side)]) / 2, 1), "I had not seen a reason of theirs."
        reasons = f"{member.text} side {member.side}"
        low, high = sorted((now - 20, now + 20))
        return {
            "reasons": reasons,
            "moved_by": moved,
            "because": "So.",
            "low": low,
            "high": high,
            "estimate": now,
            "unit": "days",
        }

    answer = staged("delphi", script, topic="How many?", unit="days", agents=MEMBERS, rounds=2)["answer"]
    figure = float(answer.split()[0].replace(",", ""))
    return result_for(match, min(FIGURES, key=lambda side: abs(FIGURES[side] - figure)))


# The panel

PERSONAS = ("innovator", "pragmatist", "critic", "advocate")
LABELS = {True: {RIGHT: "accept", WRONG: "reject"}, False: {RIGHT: "reject", WRONG: "accept"}}
"""What is right, of an idea that is good and of one that is bad."""


def panel(match: Match) -> float:
    """Four personas take positions for up to three rounds, then a validator rules; weights decide."""
    cast = dict(zip(PERSONAS, members(match, len(PERSONAS)), strict=True))
    labels = LABELS[match.seed % 2 == 1]
    validator = Reader(match.seed, "validator", match.judge)

    def script(request: moot.Request) -> Scripted:
        part, what = request.key.split("/")[:2]
        heard = "\n".join(message.content for message in request.messages if message.role != "assistant")
        if what == "rule":
            sums = validator.weigh(heard)
            return ruling(labels[max(sums, key=sums.__getitem__)])
        if what != "round":
            return plain(request)
        member = cast[part]
        if member.strategy == "absent":
            return BAD
        texts = quoted_in(heard)
        side = member.side if request.key.endswith("/1") else member.holds(heard, sides_held(texts))
        return opinion(labels[side], claim=f"{member.text} side {side}")

    found = staged("panel", script, idea="Do it.")["decision"]
    return result_for(match, next((side for side, label in labels.items() if label == found), None))


def games() -> Iterator[Game]:
    names = [one.name for one in STRATEGIES]
    yield Game("council", "that the chairman follows an answer that says so", council, names, alone=first_majority)
    everybody = {"strategies": names, "judges": ("fair",), "alone": first_majority}
    yield Game("multiagent", "that most say so in the end", multiagent, **everybody)  # type: ignore[arg-type]
    yield Game("delphi", "that the median is nearer to its number", delphi, **everybody)  # type: ignore[arg-type]
    yield Game("panel", "that the panel decides so", panel, names, alone=first_majority)


GAMES = list(games())
