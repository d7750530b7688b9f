"""References in the texts of a dialogue to facts, arguments and moves, by ids that are on record or not."""

import math
import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace

from moot.api import Agent, Failure, Prompt, Prose, Room, Shape
from moot.protocols.persuasion.dialogue import apply
from moot.protocols.persuasion.moves import Move, Proposal
from moot.protocols.persuasion.position import Dialogue
from moot.text.citations import Marks, citations, is_in
from moot.text.language import CLOSING

# `A4-sized`, `-O2` and `K1.5` are ordinary words.
_ID = re.compile(r"(?<![\w.-])[KAPO][1-9]\d*(?!\w|-[a-z]|\.\d)")
_SCORE = re.compile(r"(?<![\w.,-])[01][.,]\d{2,}(?!\w|[.,]\d|\s?%)")
_MARKS = Marks.of(r"[DK]\d{1,3}\b")
_SIDE_BY_SIDE = re.compile(r"[\]］】]\s*[\[［【]")
"""Between two marks that are one, as in `[D1][D2]`."""
KINDS = {"K": "fact", "A": "argument", "P": "move", "O": "move"}
LONGEST_QUOTE = 80


def ids_in(*texts: str) -> list[str]:
    """The words in these texts that look like ids, each once."""
    return list(dict.fromkeys(one for text in texts for one in _ID.findall(text)))


def unknown_ids(dialogue: Dialogue, texts: Iterable[str], own: Container[str] = ()) -> list[str]:
    """The ids in these texts that do not exist on record. Words from the topic and the facts do not count, and `own`
    are ids that these texts introduce."""
    known = (own, dialogue.facts, dialogue.propositions, dialogue.by_id)
    unknown = [one for one in ids_in(*texts) if not any(one in some for some in known)]
    words = ids_in(dialogue.topic, dialogue.denial, *dialogue.facts.values()) if unknown else []
    return [one for one in unknown if one not in words]


def with_citations(dialogue: Dialogue, proposal: Proposal) -> Proposal:
    """The move with the facts and documents that its claim and each of its premises cite, as evidence for them."""
    claim = cited_facts(dialogue, proposal.content)[0] if proposal.option.act == "claim" else ()
    premises = tuple(replace(one, evidence=cited_facts(dialogue, one.content)[0]) for one in proposal.premises)
    return replace(proposal, evidence=claim, premises=premises)


def cited_facts(dialogue: Dialogue, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts and documents that a text cites, and those among them that do not count: words are quoted for them that
    are not in them, and nowhere on record or right before the mark. An image cannot be quoted."""
    text, facts = _SIDE_BY_SIDE.sub(", ", text), dialogue.facts
    cited, wrong = dict[str, None](), dict[str, None]()
    said = [dialogue.topic, dialogue.denial, *facts.values(), *(one.content for one in dialogue.propositions.values())]
    said += [move.said for move in dialogue.moves]
    for one in citations([text], _MARKS):
        own = [number for number in one.numbers if number in facts]
        cited |= dict.fromkeys(own)
        sources = [facts[number] for number in one.possible if number in facts]
        if not one.quote or not all(sources) or any(is_in(one.quote, source) for source in sources):
            continue
        if _at_mark(one.quote, text) or not any(is_in(one.quote, words) for words in said):
            wrong |= dict.fromkeys(own)
    return tuple(one for one in cited if one not in wrong), tuple(wrong)


def _at_mark(quote: str, text: str) -> bool:
    """Whether nothing but marks is between a quotation and the citation after it."""
    return text.partition(quote)[2].lstrip(f"{CLOSING}.,;: ")[:1] in tuple("[［【")


def doubts_about_move(dialogue: Dialogue, proposal: Proposal) -> list[str]:
    """Questions about the references of a legal move, in words."""
    texts = [one.content for one in proposal.premises] or [proposal.content]
    wrong = dict.fromkeys(one for text in texts for one in cited_facts(dialogue, text)[1])
    misquoted = [f"the words quoted for [{one}] are not in it: quote it word for word or not at all" for one in wrong]
    made = apply(dialogue, proposal).moves[len(dialogue.moves)]
    put = [one for one in made.puts if one.id not in dialogue.propositions]
    own = (made.id, *(one.id for one in put))
    unknown = unknown_ids(dialogue, [made.said, *(one.content for one in put)], own)
    return [*doubts_about(dialogue, unknown), *misquoted]


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


def strange_figures(text: str, known: Iterable[float | None], words: Iterable[str]) -> list[str]:
    """The scores that a text names, such as 0.62, and that are none of these, however rounded, nor in these words."""
    said = {figure for one in words for figure in _SCORE.findall(one)}
    found = [one for one in dict.fromkeys(_SCORE.findall(text)) if one not in said]
    return [one for one in found if not any(_is_rounded(one, score) for score in known if score is not None)]


def _is_rounded(figure: str, score: float) -> bool:
    digits = len(figure) - 2
    return math.isclose(float(figure.replace(",", ".")), score, rel_tol=0, abs_tol=0.5 / 10.0**digits + 1e-9)


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
