"""The game of the lab in a chaired debate: what a side brings is checked against the page that it cites.

The page of a side bears out each of its reasons and none that is made up. The verifier says what the page says; the
chair weighs the record as a judge does, and what the verifier did not find there as found out.
"""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kit.chaired import FIXED, because, cite, reading, readings, turn
from tests.kit.shelf import briefed

import moot
from lab_rooms import RIGHT, WRONG, Reader, Speaker, in_turn, opening_alone, result_for, staged, text_of, words
from moot.testing import Scripted
from strategies import Game, Match

PAGES = {side: f"https://pack.example/{side}" for side in (RIGHT, WRONG)}
KINDS = {"opening": "opening_statement", "r1": "new_point", "closing": "closing_statement"}
BAD = "?"
_BROUGHT = re.compile(r"\b(?:reason|made)-[RW]\d+")
_NOT_FOUND = re.compile(r"made-([RW]\d+)[^\n]*: (?!confirmed)")


def borne_out(mark: str) -> str:
    """The sentence for a reason, in a statement and in the page."""
    return f"As it was measured in that year, {mark} holds"


def statement(speaker: Speaker, place: str, heard: str) -> Scripted:
    """What a side says: a sentence with its source for each reason, then the rest. A closing brings no reason."""
    said = speaker.say([*KINDS].index(place) + 1, heard)
    if said is None:
        return BAD
    marks = [] if place == "closing" else list(dict.fromkeys(_BROUGHT.findall(said)))
    rest = " ".join(_BROUGHT.sub("", said).strip(" .").split()) or words(5, place)
    content = " ".join([*(f"{borne_out(mark)} [1]." for mark in marks), f"So {rest}."])
    sources = [cite(PAGES[marks[0].split("-")[1][0]])] if marks else []
    return {**turn(KINDS[place], content), "sources": sources}


def chaired(match: Match) -> float:
    """Openings, a round and closings under a chair, with a verifier."""
    cast = dict(zip(("promoter", "detractor"), in_turn(match).values(), strict=True))
    ends = dict(zip(cast, ("affirmative_wins", "negative_wins"), strict=True))
    chair = Reader(match.seed, "chair", match.judge)

    def script(request: moot.Request) -> Scripted:
        agent, what = request.key.split("/")
        role, _, place = agent.partition("@")
        if role in cast and what.startswith("turn"):
            return statement(cast[role], place.split(".")[0], text_of(request))
        if what == "check":
            task = request.messages[-1].content
            mark = _BROUGHT.findall(task)[0]
            return readings(
                request, reading("says_nothing") if "made-" in task else reading("supports", borne_out(mark))
            )
        if what == "decision":
            record = text_of(request)
            unread = " ".join(f"NOT in the text: “made-{mark}”" for mark in _NOT_FOUND.findall(record))
            sums = chair.weigh(f"{record} {unread}", cast["promoter"].side)
            stronger = max(cast, key=lambda role: sums[cast[role].side])
            cases = {f"{role}_case": words(5, role) for role in cast}
            return {
                **cases,
                **briefed("It is so."),
                **because(2 + (stronger == "detractor")),
                "stronger": stronger,
                "outcome": ends[stronger],
            }
        return FIXED[what.removesuffix("-again")]

    with TemporaryDirectory() as folder:
        text = {side: ". ".join(borne_out(f"reason-{side}{n}") for n in range(1, 6)) + "." for side in PAGES}
        pages = [{"url": url, "title": side, "text": text[side]} for side, url in PAGES.items()]
        (Path(folder) / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
        found = staged("chaired", script, topic="It is so.", evidence={"pack": folder}, max_rounds=1)
    winner = found["winner"]
    return result_for(match, cast[winner].side if winner else None)


GAMES = [Game("chaired", "that the chair finds its case the stronger", chaired, alone=opening_alone)]
