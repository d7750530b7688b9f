"""The script of a re-judging: every judge reads in every order, side by side and without memory of any other reading;
votes are counted again by every rule, which asks nobody."""

from collections.abc import Coroutine, Mapping, Sequence
from statistics import fmean
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from moot.api import Agent, Failure, Prompt, Room, fenced, flags_of, member
from moot.protocols.arena import prompts as arena_prompts
from moot.protocols.arena.board import COVERED, task_of
from moot.protocols.arena.shapes import ranked, reading_shape
from moot.protocols.duel import prompts as duel_prompts
from moot.protocols.rejudging import prompts
from moot.protocols.rejudging.config import Contended, Debated, Proposed, Reader, RejudgingConfig
from moot.protocols.rejudging.payloads import JudgedAgain, Order, Recount, RejudgingHeader, Rereading
from moot.text.masking import masked
from moot.voting.rules import Ballot, elect

Reason = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 600})]
Mark = Annotated[int, Field(ge=0, le=10)]
LETTERS = ("A", "B")


class ReadDuel(BaseModel):
    """The reasons first, so that scores and winner follow from them."""

    reason_a: Reason
    reason_b: Reason
    score_a: Mark
    score_b: Mark
    winner: Literal["A", "B"]
    confidence: Annotated[int, Field(ge=0, le=100)]


async def play(room: Room, config: RejudgingConfig) -> None:
    parts = {part_of(number): judge for number, judge in enumerate(config.judges, 1)}
    await open_rejudging(room, config, parts)
    what = config.material
    work: list[Coroutine[Any, Any, None]] = []
    for part, judge in parts.items():
        drawn = room.shuffled(f"order/{part}", what.proposals) if isinstance(what, Contended) else []
        for order in config.orders:
            agent = judge_for(room, what, judge, f"{part}@{order}", order)
            if isinstance(what, Debated):
                work.append(read_duel(room, config, what, agent, order))
            elif isinstance(what, Contended):
                shown = drawn if order == "given" else drawn[::-1]
                work.append(read_arena(room, config, what, agent, order, shown))
    await room.together(*work)
    for rule in config.rules:
        assert isinstance(what, Contended)  # noqa: S101 (the config refuses rules for a duel)
        found = recount(what, rule)
        text = f"By {rule}: {found.winner or 'nobody'}, {'as' if found.same else 'not as'} before. {found.reason}"
        room.emit("recount", "moot", text, phase="recount", to=[], data=found)


async def open_rejudging(room: Room, config: RejudgingConfig, parts: Mapping[str, Reader]) -> None:
    """See that every judge can speak, and write the header and what is judged again."""
    what, source = config.material, config.source
    agents = [judge_for(room, what, judge, part) for part, judge in parts.items()]
    await room.ready(*agents)
    claim = what.claim if isinstance(what, Debated) else None
    header = RejudgingHeader(
        protocol="rejudging",
        topic=config.topic,
        details={"Claim": claim} if claim else {},
        claim=claim,
        cast=[member(agent, "judge", "Reads the debate afterwards.", "yellow") for agent in agents],
        flags=room.flags(lambda: [*config.flags, *flags_of(agents, None)]),
    )
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    about = JudgedAgain(
        **dict(source),
        protocol=what.protocol,
        seats=list(what.debaters) if isinstance(what, Debated) else [one.agent for one in what.proposals],
        sides=what.sides if isinstance(what, Debated) else {},
        last_word=what.statements[-1].speaker if isinstance(what, Debated) else None,
        **dict(what.judged),
        rule=what.rule if isinstance(what, Contended) and what.votes else None,
        counted=what.elected if isinstance(what, Contended) else None,
    )
    text = f"Judged again: the {what.protocol} {source.run}, {source.entries} entries, log {source.log_sha256}"
    room.emit("judged_again", "moot", text, phase="setup", to=[], data=about)


def judge_for(room: Room, what: Debated | Contended, judge: Reader, part: str, order: Order = "given") -> Agent:
    """A judge for one reading, without memory of any other."""
    return room.agent(part, judge.name, _system(what, order), judge.model)


def _system(what: Debated | Contended, order: Order) -> Prompt:
    if isinstance(what, Contended):
        return arena_prompts.JUDGE_SYSTEM(personality=what.standards)
    # Standards may say who holds what, so they too have letters for names.
    standards = masked(what.standards, _letters(what, order)) if isinstance(what, Debated) else ""
    return prompts.READER_SYSTEM(standards=standards)


def _letters(what: Debated, order: Order) -> dict[str, str]:
    """Under which letter each debater is shown, in the order of the letters."""
    names = what.debaters if order == "given" else what.debaters[::-1]
    return dict(zip(names, LETTERS, strict=True))


async def read_duel(room: Room, config: RejudgingConfig, what: Debated, judge: Agent, order: Order) -> None:
    """One judge reads the whole transcript. Swapped, the debaters have changed letters and are named the other way
    round; what was said stays in the order it was said, since each statement answers the one before."""
    letters = _letters(what, order)
    labels = {letter: name for name, letter in letters.items()}
    said = [(letters[statement.speaker], masked(statement.text, letters)) for statement in what.statements]
    quoted = [fenced(text, f"statement {number} by {letter}") for number, (letter, text) in enumerate(said, 1)]
    claim = masked(what.claim, letters) if what.claim else None
    held = {letters[name]: masked(option, letters) for name, option in what.options.items()}
    opener = said[0][0]
    sides = duel_prompts.who_argues(
        list(labels),
        {letters[name]: side for name, side in what.sides.items()},
        held,
        claim,
        opener=opener,
        factual=what.factual,
    )
    prompt = prompts.READ(
        topic=masked(config.topic, letters),
        sides=f"\n{sides}",
        asked=duel_prompts.WHO_IS_RIGHT if what.factual else duel_prompts.WHO_IS_STRONGER,
        scale=duel_prompts.LIKELY if what.factual else duel_prompts.BANDS,
        confidence=duel_prompts.CONFIDENCE,
        transcript="\n\n".join(quoted),
    )
    found = await room.ask_for(ReadDuel, judge, prompt, "read")
    if isinstance(found, Failure):
        _emit(room, judge, Rereading(order=order, labels=labels, failure=found.reason))
        return
    scores = {"A": found.score_a, "B": found.score_b}
    reading = Rereading(
        order=order,
        labels=labels,
        winner=labels[found.winner],
        scores={labels[letter]: score for letter, score in scores.items()},
        reasons={labels["A"]: _line(found.reason_a), labels["B"]: _line(found.reason_b)},
        confidence=found.confidence / 100,
        contradicts=scores[found.winner] < max(scores.values()),
    )
    _emit(room, judge, reading)


async def read_arena(
    room: Room, config: RejudgingConfig, what: Contended, judge: Agent, order: Order, drawn: Sequence[Proposed]
) -> None:
    """One judge scores and ranks the proposals, under letters and in this order, as the arena's own judges did. Its own
    ranking names the winner, as there."""
    labels = {chr(ord("A") + place): one.agent for place, one in enumerate(drawn)}
    covers, quoted = dict.fromkeys(what.agents, COVERED), []
    for letter, one in zip(labels, drawn, strict=True):
        quoted.append(fenced(masked(one.text, covers), f"proposal {letter}"))
        quoted.append(fenced(masked(one.objections, covers), f"objections {letter}"))
    prompt = arena_prompts.JUDGE(
        task=task_of(config.topic, what.criteria),
        topic=config.topic,
        proposals="\n\n".join(quoted),
        seat=arena_prompts.JUDGE_SEAT,
        sure=arena_prompts.SURE.format(what="first places"),
        advice="",
    )
    found = await room.ask_for(reading_shape(tuple(labels), tuple(what.criteria)), judge, prompt, "read")
    if isinstance(found, Failure):
        _emit(room, judge, Rereading(order=order, labels=labels, failure=found.reason))
        return
    given = found.model_dump(by_alias=True)
    marks = {name: {one: float(given[letter][one]) for one in what.criteria} for letter, name in labels.items()}
    scores = {name: round(fmean(each.values()), 4) for name, each in marks.items()}
    first = ranked(given["ranking"], labels)[0]
    reading = Rereading(
        order=order,
        labels=labels,
        winner=what.counts_as(first),
        scores=scores,
        by_criterion=marks,
        reasons={name: _line(given[f"reason_{letter}"]) for letter, name in labels.items()},
        confidence=given["confidence"] / 100,
        contradicts=scores[first] < max(scores.values()),
    )
    _emit(room, judge, reading)


def recount(what: Contended, rule: str) -> Recount:
    """The result of the votes under another rule."""
    ballots = [Ballot(vote.voter, tuple(vote.ranking), vote.counts, frozenset(vote.barred)) for vote in what.votes]
    candidates = list(dict.fromkeys(what.counts_as(proposal.agent) for proposal in what.proposals))
    result = elect(rule, candidates, ballots)
    return Recount(
        rule=rule,
        winner=result.winner,
        reason=result.reason,
        scores={name: str(score) for name, score in result.scores.items()},
        same=result.winner == what.elected,
    )


def _emit(room: Room, judge: Agent, reading: Rereading) -> None:
    lines = [f"- {name}: {score:g}. {reading.reasons[name]}" for name, score in reading.scores.items()]
    text = "\n".join([f"Winner: {reading.winner} ({reading.order} order).", *lines])
    if reading.failure is not None:
        text = f"No judgement ({reading.order} order): {reading.failure}"
    room.emit("rereading", judge, text, phase="judgement", to=[], data=reading, call=judge.key("read"))


def part_of(number: int) -> str:
    return "judge" if number == 1 else f"judge-{number}"


def _line(text: str) -> str:
    return " ".join(text.split())
