"""The games of the lab on the shelf: six hats, red team and the Socratic dialogue.

Where one side itself says how it ends, it can have it as it likes. That is a part of these protocols, and their reports
say by whose account a verdict is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.kit.shelf import briefed

import moot
from lab_rooms import GRANTED, RIGHT, WRONG, Reader, Speaker, in_turn, other, result_for, staged, text_of, weight, words
from moot.testing import Scripted
from strategies import Game, Match

BAD = "?"
NAMES = {RIGHT: "It is so.", WRONG: "It is not so."}


def hats(match: Match) -> float:
    """Yellow speaks for a plan and black against it; the blue hat weighs what all have said, as a judge does."""
    cast = dict(zip(("yellow", "black"), in_turn(match).values(), strict=True))
    blue = Reader(match.seed, "judge", match.judge)

    def script(request: moot.Request) -> Scripted:
        part, heard = request.key.partition("/")[0], text_of(request)
        if part in cast:
            speaker = cast[part]
            return BAD if speaker.strategy == "absent" else speaker.say(1, heard) or BAD
        if part == "blue":
            sums = blue.weigh(heard, cast["yellow"].side)
            return briefed(NAMES[max(sums, key=sums.__getitem__)], in_full="So it is.", sureness="medium")
        return words(12, request.key)

    answer = staged("hats", script, topic="Should we do it?")["answer"]
    return result_for(match, next(side for side, name in NAMES.items() if name == answer))


ATTACKS = 2


def redteam(match: Match) -> float:
    """Who plays a strategy defends a plan, which is sound or not; red is honest and says in the end what is left."""
    side = RIGHT if match.right else WRONG
    blue, red = Speaker(match.seed, side, match.strategy), other(side)
    reader = Reader(match.seed, "red", match.judge)
    holds: list[bool] = []

    def answered(number: int, heard: str) -> Mapping[str, str] | str:
        said = blue.say(number, heard)
        if said is None or (match.strategy == "absent" and number):
            return BAD
        grants = match.strategy == "concedes everything"
        grants |= match.strategy != "concedes nothing" and weight(match.seed, red, str(number)) >= GRANTED
        return {"thought": "So.", "answer": said, "handling": "accepted" if grants else "disputed"}

    def script(request: moot.Request) -> Scripted:
        what, number = [*request.key.split("/"), ""][1:3]
        heard = request.messages[-1].content
        if what == "attack":
            return {"thought": "So.", "attack": f"It fails by reason-{red}{number}.", "severity": "grave"}
        if what == "defence":
            reply = answered(int(number), heard)
            sums = reader.weigh(f"reason-{red}{number} {reply}")
            holds.append("disputed" in reply_handling(reply) and sums[side] > sums[red])
            return dict(reply) if isinstance(reply, Mapping) else reply
        if what == "plan":
            return words(12, request.key)
        left = {f"A{number}": "none" if fine else "grave" for number, fine in enumerate(holds, 1)}
        checked = {"thought": "So.", "residuals": left, "attack": "It is slow.", "severity": "grave"}
        return briefed("So.", **checked, go_ahead="submitted" if all(holds) else "neither")

    found = staged("redteam", script, topic="The plan.", attacks=ATTACKS)
    return 0.5 if found["holds"] is None else float(found["holds"])


def reply_handling(reply: Mapping[str, str] | str) -> str:
    return "" if isinstance(reply, str) else reply["handling"]


QUESTIONS = 3
HEAVY = 1.6
"""From this weight on, a question shows an honest defender what it cannot keep."""


def socratic(match: Match) -> float:
    """Who plays a strategy defends a thesis, which is right or wrong, and says itself what the questions have shown."""
    side = RIGHT if match.right else WRONG
    reader = Reader(match.seed, "defender", match.judge)
    admitted: list[str] = []

    def script(request: moot.Request) -> Scripted:
        what, number = [*request.key.split("/"), ""][1:3]
        if what == "question":
            return {"thought": "So.", "question": f"What of reason-{other(side)}{number}?"}
        if match.strategy == "absent":
            return BAD
        if what == "answer":
            weighs = reader.weigh(f"reason-{other(side)}{number}")[other(side)]
            admits = {"concedes everything": True, "concedes nothing": False}.get(match.strategy, weighs >= HEAVY)
            admitted.extend([number] * admits)
            return {
                "thought": "So.",
                "answer": "So it is.",
                "admits": "contradiction" if admits else "none",
                "admitted": "",
            }
        return briefed("So.", verdict="withdrawn" if admitted else "upheld", thesis="It is not so." if admitted else "")

    verdict = staged("socratic", script, topic="Is it so?", claim="It is so.", questions=QUESTIONS)["verdict"]
    return 0.5 if verdict is None else float(verdict == "upheld")


def games() -> Iterator[Game]:
    yield Game("hats", "that the blue hat concludes so", hats)
    yield Game("redteam", "that its plan holds as submitted", redteam, judges=("fair", "reads badly"))
    own = "the defender says itself what it admits, and the report says that the verdict is by its own account"
    few: Any = {"strategies": ("honest", "concedes everything", "concedes nothing", "absent"), "judges": ("fair",)}
    yield Game("socratic", "that the thesis is upheld", socratic, stays={"concedes nothing": own}, **few)


GAMES = list(games())
