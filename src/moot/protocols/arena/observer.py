"""The observer notes how a round was argued, for readers only. It runs beside the script and delays nothing."""

from collections.abc import Sequence

from moot.api import Agent, Draft, Failure, fenced
from moot.protocols.arena import prompts
from moot.protocols.arena.board import by_number, called, number_of, task
from moot.protocols.arena.cast import Arena, decision_in
from moot.protocols.arena.payloads import ArenaProposal, Critique, NotedFallacy, NotedTurn, Observation
from moot.protocols.arena.shapes import observation_shape

BLANK = "\n\n"


def observe(arena: Arena, number: int, turns: Sequence[Draft]) -> None:
    """Have the turns of a round observed, in a separate conversation, while the next round runs."""
    agent = arena.observer(number)
    if agent is not None and turns:
        arena.watching.append(
            arena.room.start_background(_note(arena, agent, number, list(turns), _before(arena, turns)))
        )


async def stop_observing(arena: Arena) -> None:
    """Wait for the remaining notes, so that they are in the log at this point."""
    for note in arena.watching:
        await note


async def _note(arena: Arena, agent: Agent, number: int, turns: list[Draft], before: str) -> None:
    numbers = [f"T{place}" for place in range(1, len(turns) + 1)]
    told = [by_number(arena, _with_answers(turn)) for turn in turns]
    quoted = [
        f"{one}, by {_whose(arena, turn)}:\n{fenced(text, one)}"
        for one, turn, text in zip(numbers, turns, told, strict=True)
    ]
    member = arena.config.observer
    prompt = prompts.OBSERVE(
        task=task(arena),
        before=before,
        turns="\n\n".join(quoted),
        name=agent.name,
        personality=member.personality if member else "",
        kinds="".join(f"\n  - {name}: {meaning}" for name, meaning in prompts.KINDS.items()),
        fallacies="".join(f"\n  - {name}: {meaning}" for name, meaning in prompts.FALLACIES.items()),
    )
    shape = observation_shape(tuple(numbers))
    found = await arena.room.ask_for(shape, agent, prompt, "observe", patience=arena.patience(agent))
    if isinstance(found, Failure):
        data = Observation(round=number, failure=found.reason)
        text, phase = f"Nothing noted: {found.reason}", turns[0].phase
        arena.room.emit("observation", agent, text, phase=phase, to=[], data=data, call=found.key)
        return
    noted, unfounded = _checked(arena, found.model_dump(), numbers, turns)
    data = Observation(round=number, turns=noted, unfounded=unfounded)
    text = "\n".join(_line(one) for one in noted)
    arena.room.emit("observation", agent, text, phase=turns[0].phase, to=[], data=data, call=agent.key("observe"))


def _before(arena: Arena, turns: Sequence[Draft]) -> str:
    """What the turns answer: the proposals that are criticised, or the decisions before they were revised."""
    targets = {turn.target.speaker: turn.target for turn in turns if isinstance(turn.target, Draft)}
    if not targets:
        return ""
    whole = any(isinstance(turn.data, Critique) for turn in turns)
    shown = [
        fenced(by_number(arena, draft.content if whole else decision_in(draft)), f"proposal {number_of(arena, name)}")
        for name, draft in targets.items()
    ]
    return f"What the turns answer:\n\n{BLANK.join(shown)}\n\n"


def _with_answers(turn: Draft) -> str:
    """A turn with what it says to objections, where it revises a proposal."""
    answers = turn.data.answers if isinstance(turn.data, ArenaProposal) else []
    lines = [f"- On the objection “{one.issue}”: {one.verdict}. {one.reason}" for one in answers]
    return "\n".join([turn.content, *([""] if lines else []), *lines])


def _whose(arena: Arena, turn: Draft) -> str:
    on = f", on proposal {number_of(arena, turn.target.speaker)}" if isinstance(turn.target, Draft) else ""
    return f"{called(arena, turn.speaker)}{on}"


def _checked(
    arena: Arena, given: dict[str, dict[str, list[dict[str, str]]]], numbers: Sequence[str], turns: Sequence[Draft]
) -> tuple[list[NotedTurn], int]:
    """The notes on each turn, with the fallacies whose words occur in it, and the number of the others."""
    noted, unfounded = [], 0
    for number, turn in zip(numbers, turns, strict=True):
        one = given[number]
        said = " ".join(by_number(arena, _with_answers(turn)).casefold().split())
        shown = [fallacy for fallacy in one["fallacies"] if (words := _plain(fallacy["words"])) and words in said]
        unfounded += len(one["fallacies"]) - len(shown)
        kinds = list(dict.fromkeys(str(kind) for kind in one["kinds"]))
        noted.append(NotedTurn(of=turn.speaker, kinds=kinds, fallacies=[NotedFallacy(**fallacy) for fallacy in shown]))
    return noted, unfounded


def _plain(words: str) -> str:
    return " ".join(words.casefold().split()).strip("\"“”'‘’ ")


def _line(noted: NotedTurn) -> str:
    fallacies = "".join(f"; {one.name}: “{one.words}”" for one in noted.fallacies)
    return f"- {noted.of}: {', '.join(noted.kinds) or 'nothing of note'}{fallacies}"
