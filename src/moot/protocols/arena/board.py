"""What agents are shown of each other's work, without names: proposals under numbers between proposers, under letters
and with the objections to them for voters and judges."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from moot.api import Draft, Entry, Fact, fenced
from moot.protocols.arena import prompts
from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.objections import Objection, gravest, objections_to
from moot.text.masking import masked
from moot.text.prose import listed

COVERED = "[an agent]"
_SEAT = re.compile(r"\bagent \d{1,2}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Blind:
    """The proposals as one reader sees them; `labels` maps letters to authors, in the order shown. `cited` are the
    entries by their labels: a letter for a proposal, such as `A`, and `A O1` for an objection to it."""

    labels: dict[str, str]
    cited: dict[str, Draft | Entry]
    shown: str


def blind(arena: Arena, order: Sequence[Seat]) -> Blind:
    """These proposals in this order, under letters, each with the gravest objections to it."""
    by_letter = dict(zip(ascii_uppercase, order, strict=False))
    shown = []
    cited: dict[str, Draft | Entry] = {}
    for letter, seat in by_letter.items():
        objections = objected(arena, seat)
        shown.append(fenced(covered(arena, seat.proposal.content), f"proposal {letter}"))
        shown.append(fenced(covered(arena, gravest(objections)), f"objections {letter}"))
        cited |= {letter: seat.proposal, **{f"{letter} {one.number}": one.critique for one in objections}}
    return Blind({letter: seat.name for letter, seat in by_letter.items()}, cited, "\n\n".join(shown))


def called(arena: Arena, name: str) -> str:
    """The agent as the others know it: "agent 2"."""
    return arena.called[name]


def number_of(arena: Arena, name: str) -> int:
    return int(called(arena, name).removeprefix("agent "))


def name_of(arena: Arena, called: str) -> str:
    return arena.seats[int(called.removeprefix("agent ")) - 1].name


def by_number(arena: Arena, text: str) -> str:
    """The text with the agents' numbers for their names."""
    return masked(text, arena.called)


def task(arena: Arena) -> str:
    """The beginning of every request."""
    config = arena.config
    return task_of(config.topic, config.criteria)


def task_of(topic: str, criteria: Mapping[str, str]) -> str:
    return prompts.TASK.format(
        topic=topic,
        criteria="\n".join(f"- {name}: {meaning}" for name, meaning in criteria.items()),
    )


def board(arena: Arena, seats: Sequence[Seat], *, with_objections: bool = False) -> str:
    """The proposals of these agents under their numbers."""
    shown = []
    for seat in seats:
        number = number_of(arena, seat.name)
        shown.append(fenced(by_number(arena, seat.proposal.content), f"proposal {number}"))
        if with_objections:
            shown.append(fenced(by_number(arena, gravest(objected(arena, seat))), f"objections {number}"))
    return "\n\n".join(shown)


def in_view(arena: Arena, seat: Seat) -> list[Seat]:
    """The agent itself and those whose proposals it sees, in the order of the cast: the same list for all where all
    see all."""
    seen = {seat.name, *arena.targets[seat.name]}
    return [one for one in arena.proposing if one.name in seen]


def seat_facts(arena: Arena, seat: Seat) -> dict[str, Fact]:
    """The common part of all requests to a proposer."""
    number = number_of(arena, seat.name)
    return {
        "task": task(arena),
        "seat": prompts.SEAT.format(number=number, personality=by_number(arena, seat.member.personality)),
        "own": f"Proposal {number} is yours." if seat.versions else "You have no proposal of your own.",
        "number": number,
        "words": arena.config.words,
        "sure": prompts.SURE.format(what="decisions"),
        **proposing_facts(arena.config.answer_form),
    }


def proposing_facts(answer_form: str | None) -> dict[str, str]:
    """What a proposal and its decision are; on a question with a right answer, its steps and the answer."""
    if answer_form is None:
        return prompts.PROPOSING
    return {name: words.replace("{form}", answer_form) for name, words in prompts.ANSWERING.items()}


def each_of(arena: Arena, seats: Sequence[Seat]) -> str:
    numbers = [str(number_of(arena, seat.name)) for seat in seats]
    return f"proposal {numbers[0]}" if len(numbers) == 1 else f"each of the proposals {listed(numbers)}"


def objected(arena: Arena, seat: Seat) -> list[Objection]:
    """All objections to an agent's proposal, the gravest first."""
    return objections_to(seat.name, [*arena.critiques.get(seat.name, ()), *seat.versions])


def covered(arena: Arena, text: str) -> str:
    """The text without the names and numbers of the agents."""
    return _SEAT.sub(COVERED, masked(text, dict.fromkeys(arena.called, COVERED)))
