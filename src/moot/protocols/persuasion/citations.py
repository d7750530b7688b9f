"""References in the texts of a dialogue to facts, arguments and moves, by ids that are on record or not."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from moot.api import Agent, Failure, Prompt, Prose, Room, Shape
from moot.protocols.persuasion.moves import Dialogue, Move, Proposal
from moot.text.citations import citations, is_in

# `A4-sized`, `-O2` and `K1.5` are ordinary words.
_ID = re.compile(r"(?<![\w.-])[KAPO][1-9]\d*(?!\w|-[a-z]|\.\d)")
KINDS = {"K": "fact", "A": "argument", "P": "move", "O": "move"}
LONGEST_QUOTE = 80


def ids_in(*texts: str) -> list[str]:
    """The words in these texts that look like ids, each once."""
    return list(dict.fromkeys(one for text in texts for one in _ID.findall(text)))


def unknown_ids(dialogue: Dialogue, texts: Iterable[str], own: Iterable[str] = ()) -> list[str]:
    """The ids in these texts that do not exist on record. Words from the topic and the facts do not count, and `own`
    are ids that these texts introduce."""
    words = ids_in(dialogue.topic, dialogue.denial, *dialogue.facts.values())
    known = {*words, *own, *dialogue.facts, *dialogue.propositions, *dialogue.by_id}
    return [one for one in ids_in(*texts) if one not in known]


def unknown_in(before: Dialogue, move: Move) -> list[str]:
    """The same for the speaker's words in a move."""
    put = [one for one in move.puts if one.id not in before.propositions]
    return unknown_ids(before, [move.content, *(one.content for one in put)], (move.id, *(one.id for one in put)))


def with_documents(proposal: Proposal, facts: Mapping[str, str]) -> Proposal:
    """The move with the documents that its claim and each of its premises quote, as evidence for them."""
    claim = quoted_documents(proposal.content, facts) if proposal.option.act == "claim" else ()
    return replace(
        proposal,
        evidence=(*proposal.evidence, *claim),
        premises=tuple(
            replace(one, evidence=(*one.evidence, *quoted_documents(one.content, facts))) for one in proposal.premises
        ),
    )


def quoted_documents(text: str, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The documents that a text cites by number with a quotation that is in them. An image cannot be quoted."""
    found = dict.fromkeys(
        number
        for one in citations([text])
        for number in one.possible
        if number in facts and (not facts[number] or (one.quote and is_in(one.quote, facts[number])))
    )
    return tuple(found)


def unquoted_documents(proposal: Proposal) -> list[str]:
    """The documents that a claim or a premise cites without words that are in them."""
    claim = [(proposal.content, proposal.evidence)] if proposal.option.act == "claim" else []
    texts = [*claim, *((one.content, one.evidence) for one in proposal.premises)]
    cited = [(number, evidence) for text, evidence in texts for one in citations([text]) for number in one.numbers]
    return list(dict.fromkeys(number for number, evidence in cited if number[0] == "D" and number not in evidence))


def doubts_about_move(before: Dialogue, made: Move, proposal: Proposal) -> list[str]:
    """Questions about the references of a legal move, in words."""
    unquoted = [
        f"{one} counts only with words of it, at least four, in quotation marks before [{one}]; none that you quote "
        "are in it"
        for one in unquoted_documents(proposal)
    ]
    return [*doubts_about(before, unknown_in(before, made)), *unquoted]


def unfounded(dialogue: Dialogue, concessions: Iterable[str]) -> list[str]:
    """The texts about concessions that do not name anything conceded or retracted."""
    on_record = {one for move in given_up(dialogue) for one in (move.id, move.proposition)}
    return [text for text in concessions if not on_record.intersection(ids_in(text))]


def given_up(dialogue: Dialogue) -> list[Move]:
    """The moves that concede or retract something."""
    return [move for move in dialogue.moves if move.act in ("concede", "retract")]


def doubts_about(dialogue: Dialogue, unknown: Iterable[str], concessions: Iterable[str] = ()) -> list[str]:
    """Questions to the author of a text, in words."""
    doubts = [f"there is no {KINDS[one[0]]} {one} on record" for one in unknown]
    moves = [move.id for move in given_up(dialogue)]
    allowed = f"name each by its move, one of {', '.join(moves)}" if moves else "nobody conceded or retracted anything"
    missing = unfounded(dialogue, concessions)
    return doubts + [f"“{text[:LONGEST_QUOTE]}” is no concession on record: {allowed}" for text in missing]


def told(doubts: Sequence[str]) -> str:
    return f"{'; '.join(doubts)} (leave out what is not on record; a word that only looks like an id may stay)"


async def ask_on_record(
    room: Room,
    shape: type[Shape],
    agent: Agent,
    prompt: Prompt,
    at: str,
    *,
    doubts: Callable[[Shape], list[str]],
    check: Callable[[Shape], str | None] = lambda _: None,
    prose: Prose | None = None,
    words: Callable[[Shape], str] = str,
) -> Shape | Failure:
    """Ask for an object. Faults found by `check` are rejected. Each doubt is raised once: if the agent repeats it,
    the reply is accepted, since it might not be a citation. The caller marks it."""
    could_stand: list[Shape] = []
    put = set[str]()

    def accept(value: Shape) -> str | None:
        if wrong := check(value):
            return wrong
        could_stand.append(value)
        new = [one for one in doubts(value) if one not in put]
        put.update(new)
        return told(new) if new else None

    found = await room.ask_for(shape, agent, prompt, at, accept=accept, prose=prose, words=words)
    return could_stand[-1] if isinstance(found, Failure) and could_stand else found
