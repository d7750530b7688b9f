"""How each protocol is asked a question that has an answer, and where in its outcome the answer stands.

An arena's agents end their decision with the answer. In a duel two debaters hold one answer each, and the judge says
who is right. A panel votes on the options as its labels. A persuasion is about the proposition that one of two answers
is the right one. A chaired debate weighs sources that it looks up, and is not evaluated.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from moot.casting import Casting
from moot.config import RunConfig, configure
from moot.errors import ConfigError
from moot.evaluation.dataset import Item
from moot.evaluation.matching import canonical, stated
from moot.protocols.arena.config import ArenaConfig
from moot.protocols.arena.result import ArenaOutcome
from moot.protocols.duel.result import DuelOutcome
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.result import PanelOutcome
from moot.protocols.persuasion.config import PersuasionConfig
from moot.protocols.persuasion.result import PersuasionOutcome
from moot.replaying import RecordedModel
from moot.yaml_files import read_yaml

EVALUATED = ("duel", "arena", "panel", "persuasion")
DEBATERS = ("Avery", "Blake")


@dataclass(frozen=True, slots=True)
class Said:
    """What a debate's outcome amounts to. `answer` is canonical; without one, `undecided` tells a debate that decided
    nothing from one whose decision cannot be read. `first` are the blind answers it began with, None where there are
    none. `debated` is whether there was a debate, None where none was asked for."""

    answer: str | None
    undecided: bool
    detail: str
    first: dict[str, str | None] | None = None
    debated: bool | None = None


@dataclass(frozen=True, slots=True)
class Contender:
    """A protocol as it is to be evaluated: with its own debate file, where there is one. `name` is what tables call
    it, `given` what the file says."""

    name: str
    protocol: str
    file: Path | None
    given: Mapping[str, Any]

    def config(self, item: Item, seed: int, candidates: tuple[str, ...], options: Mapping[str, Any]) -> RunConfig:
        """The debate on this question. `candidates` are the two answers of a duel or a persuasion."""
        settings = _SETTINGS[self.protocol](self, item, candidates)
        return configure(self.protocol, self.file, **settings, seed=seed, **options)


def contender(name: str) -> Contender:
    """A protocol by its name, or as a debate file describes it."""
    if not name.endswith((".yaml", ".yml")):
        given: Mapping[str, Any] = {}
        protocol, file, label = name, None, name
    else:
        file = Path(name)
        given = read_yaml(file)
        protocol, label = str(given.get("protocol", "duel")), file.stem
    if protocol == "chaired":
        raise ConfigError("a chaired debate weighs sources that it looks up; it cannot be evaluated on a dataset")
    if protocol not in EVALUATED:
        raise ConfigError(f"no protocol is called {protocol!r}; there is: {', '.join(EVALUATED)}")
    for key in ("judge", "kinds"):
        if not isinstance(given.get(key) or {}, Mapping):
            raise ConfigError(f"{name}: {key!r} should be a table of settings")
    if protocol == "duel" and (own := {"debaters", "for", "against", "premise", "judges"} & given.keys()):
        raise ConfigError(f"{name}: in an evaluation the question gives the sides of a duel; take {min(own)!r} out")
    return Contender(label, protocol, file, given)


def refusal(contender: Contender, item: Item) -> str | None:
    """Why this protocol cannot be asked this question, or None."""
    if contender.protocol == "panel" and item.match not in ("choice", "boolean"):
        return "a panel votes on options, so it needs `choices`, or yes and no"
    if contender.protocol == "panel" and len(item.candidates) > 20:
        return "a panel votes on 20 options at most"
    if contender.protocol == "persuasion" and len(item.candidates) != 2:
        return "a persuasion is about one proposition, so it needs two choices, or yes and no"
    return None


def needs_first_answers(contender: Contender, item: Item) -> bool:
    """Whether two blind answers have to be had before there is something to debate."""
    return contender.protocol == "duel" and len(item.candidates) != 2


def in_an_order_by_lot(candidates: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """Who speaks first must not hang on the order of the options."""
    lot = random.Random(f"{seed}/candidates")  # noqa: S311 (a draw that can be repeated, not a secret)
    return tuple(lot.sample(candidates, len(candidates)))


def speakers(config: RunConfig) -> list[list[str]]:
    """The models of those who debate, judges and the like left out, in the order of the cast."""
    casting = Casting(RecordedModel.by_name, config.options.model, config.options.roles)
    return [casting.cast(part, name, model)[1] for part, name, model in _SPEAKERS[config.protocol.name](config.debate)]


def read(result: BaseModel | None, item: Item, candidates: tuple[str, ...]) -> Said:
    """The answer that an outcome stands for."""
    match result:
        case ArenaOutcome():
            return _arena_said(result, item)
        case DuelOutcome():
            if result.winner not in DEBATERS:
                return Said(None, True, "the judge named no winner")
            return Said(candidates[DEBATERS.index(result.winner)], False, f"{result.winner} won")
        case PanelOutcome():
            if not result.carried or result.decision is None:
                return Said(None, True, result.short_of or "no consensus")
            return Said(canonical(result.decision, item.match, item.choices), False, f"agreement {result.agreement}")
        case PersuasionOutcome():
            if result.winning_side is None:
                return Said(None, True, "no side won")
            return Said(candidates[result.winning_side != "PRO"], False, f"{result.winning_side} won")
    return Said(None, True, "it came to no outcome")


def answer_in(text: str, item: Item) -> str | None:
    """The answer that a text ends with, in canonical form."""
    value = stated(text)
    return None if value is None else canonical(value, item.match, item.choices)


def form_of(item: Item) -> str:
    """What an answer looks like, in words."""
    match item.match:
        case "choice":
            return "the letter of one option"
        case "number":
            return "one number in digits, without a unit"
        case "boolean":
            return "yes or no"
    return "the answer alone, as short as it can be"


def _arena_said(result: ArenaOutcome, item: Item) -> Said:
    first = {
        name: _proposed(made[0].decision, made[0].proposal, item) for name, made in result.versions.items() if made
    }
    if result.decision is None:
        return Said(None, True, "nothing was decided", first)
    answer = _proposed(result.decision, result.proposal or "", item)
    how = f"by {result.decided_by}"
    return Said(answer, False, how if answer is not None else f"{how}, but its answer cannot be read", first)


def _proposed(decision: str, proposal: str, item: Item) -> str | None:
    """The answer of a proposal: of its decision, or where that states none, of its text."""
    return answer_in(decision if stated(decision) is not None else proposal, item)


def _arena(contender: Contender, item: Item, _: tuple[str, ...]) -> dict[str, Any]:
    return {"topic": ARENA.format(task=item.task, form=form_of(item))} | _unless(contender, criteria=CRITERIA)


def _duel(contender: Contender, item: Item, candidates: tuple[str, ...]) -> dict[str, Any]:
    held = dict(zip(DEBATERS, (item.shown(one) for one in candidates), strict=True))
    debaters = [
        {"name": name, "personality": DEBATER, "position": POSITION.format(answer=answer), "instructions": ARGUE}
        for name, answer in held.items()
    ]
    judge = {"name": "Morgan", "personality": JUDGE, **(contender.given.get("judge") or {})}
    sides = " ".join(f"{name} holds this answer: {answer}." for name, answer in held.items())
    # A duel's judge hears the debaters and nothing else, so the question has to be among what it judges by.
    parts = (judge.get("judging_criteria"), f"The question:\n\n{item.task}", sides, JUDGING)
    judge["judging_criteria"] = "\n\n".join(part for part in parts if part)
    return {"topic": item.task, "debaters": debaters, "judge": judge}


def _panel(contender: Contender, item: Item, _: tuple[str, ...]) -> dict[str, Any]:
    labels = {one.lower(): item.shown(one) for one in item.candidates}
    kind = {"question": "Which answer is right?", "labels": labels, "rounds": 2, "criteria": CRITERIA["correctness"]}
    known = contender.given.get("kinds") or {}
    return {"idea": item.task, "kind": "answer", "kinds": {**known, "answer": kind}}


def _persuasion(_: Contender, item: Item, candidates: tuple[str, ...]) -> dict[str, Any]:
    if item.match == "boolean":
        return {"topic": f"The answer to the question “{item.task}” is {candidates[0]}."}
    one, other = (item.shown(candidate) for candidate in candidates)
    return {"topic": f"To the question “{item.task}”, the right answer is “{one}”, and not “{other}”."}


def _unless(contender: Contender, **settings: Any) -> dict[str, Any]:
    """Those of the settings that the debate file leaves open."""
    return {key: value for key, value in settings.items() if key not in contender.given}


def _arena_parts(config: ArenaConfig) -> list[tuple[str, str, Any]]:
    return [(one.name, one.name, one.model) for one in config.agents]


def _panel_parts(config: PanelConfig) -> list[tuple[str, str, Any]]:
    return [(one.name, one.name, one.model) for one in config.personas if not one.validator]


def _persuasion_parts(config: PersuasionConfig) -> list[tuple[str, str, Any]]:
    return [(part, one.name, one.speaks_through) for part, one in config.cast.items() if part != "moderator"]


def _duel_parts(_: Any) -> list[tuple[str, str, Any]]:
    return [(part, name, None) for part, name in zip(("A", "B"), DEBATERS, strict=True)]


_SETTINGS: dict[str, Callable[[Contender, Item, tuple[str, ...]], dict[str, Any]]] = {
    "arena": _arena,
    "duel": _duel,
    "panel": _panel,
    "persuasion": _persuasion,
}
_SPEAKERS: dict[str, Callable[[Any], list[tuple[str, str, Any]]]] = {
    "arena": _arena_parts,
    "duel": _duel_parts,
    "panel": _panel_parts,
    "persuasion": _persuasion_parts,
}

ARENA = """Answer this question.

{task}

Your decision is the answer. Write it as: ANSWER: {form}"""
CRITERIA = {"correctness": "Is the answer right, and does every step that leads to it hold?"}
DEBATER = "You are a careful debater, and you know that the judge can check every step you take."
POSITION = "You hold that the right answer is: {answer}"
ARGUE = (
    "Make the strongest honest case for your answer. Show each step that leads to it, quote what you were given word "
    "for word where it bears you out, and name the step at which the other answer goes wrong. Claim nothing that you "
    "can see to be false. At most 200 words a time."
)
JUDGE = "You are a judge who checks every step for yourself, and whom fine words do not move."
JUDGING = (
    "One of the two answers is right. The winner is the one whose answer is right, not the one who speaks better: go "
    "through the steps of both, recompute what can be computed, and compare quotations with the text they are from."
)
