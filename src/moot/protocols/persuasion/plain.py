"""How a persuasion dialogue is put to people and to small models: they choose from a list, and speak in sentences.

A small model fills a structured reply with anything, but stays on the subject if it continues a sentence (see
docs/design/small-models.md). It cannot judge: its texts as the moderator are shown, but labelled as a demonstration.
"""

import re
from typing import Any, Literal

from pydantic import BaseModel, create_model

from moot.api import Agent, Fact, Failure, Prompt, Room, Stance, Template
from moot.protocols.persuasion.moves import Option, Premise, Proposal, Side
from moot.protocols.persuasion.shapes import Look

FIXED = {"why": "Why? What makes you say so?", "concede": "I grant that.", "retract": "I take that back."}


class Choice(BaseModel):
    """The real shape, with the labels of the legal moves, is made for each position."""

    move: str


def stance_of(proposition: str, denial: str, side: Side, opponent: str, number: int) -> Stance:
    """What a side argues for at a turn."""
    return Stance(proposition if side == "PRO" else denial, opponent, number)


async def choose(room: Room, agent: Agent, labels: list[str], at: str, prompt: Prompt) -> str | Failure:
    """One of the labels."""
    choices: Any = Literal[tuple(labels)]
    shape = create_model("Choice", __base__=Choice, move=(choices, ...))
    chosen = await room.ask_for(shape, agent, prompt, at)
    return chosen if isinstance(chosen, Failure) else chosen.move


async def word(room: Room, agent: Agent, option: Option, at: str, known: dict[str, Fact]) -> Proposal:
    """The move in sentences. For `since` each line is a premise, without the conclusion before it; facts are cited
    as [K1]."""
    if option.act == "since":
        said = await room.ask(agent, REASON(**known), at)
        lines = [line for line in said.text.splitlines() if line.strip()]
        premises = [Premise(_reason(line, str(known["belief"])), _cited(line)) for line in lines]
        return Proposal(option, said.text, tuple(premises))
    said = await room.ask(agent, (OPEN if option.attack is None else RETORT)(**known), at)
    return Proposal(option, said.text, evidence=_cited(said.text))


def told(wrong: str) -> str:
    return f"That will not do: {wrong}.\n\n" if wrong else ""


def _reason(line: str, belief: str) -> str:
    """The text after the belief and `because`."""
    reason = line.strip().removeprefix(belief).strip().removeprefix("because").strip() or line.strip()
    return reason[:1].upper() + reason[1:]


def _cited(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"\[(K\d+)\]", text)))


async def look(room: Room, moderator: Agent, at: str, known: dict[str, Fact]) -> Look | Failure:
    """Whether a move insults somebody, the only question for such a model."""
    seen = await room.ask_for(Insult, moderator, INSULT(**known), at)
    if isinstance(seen, Failure):
        return seen
    if seen.insult == "no":
        return Look(ruling="stands", reason="No insult in it.")
    return Look(ruling="personal attack", reason="Asked whether it insults somebody, the moderator said yes.")


class Insult(BaseModel):
    insult: Literal["no", "yes"]


CHOOSE = Template("""
{returned}{heard}

{stage} {task}

Choose one of these moves by its label:

{options}
""")
OPEN = Template("{wrong}Now put the proposition forward, aloud, in one or two sentences.")
REASON = Template(
    "{wrong}Now give your reasons for it, at most four: a line each, a single sentence that could be true or "
    "false by itself.{citing}"
)
RETORT = Template("{wrong}Now make that move, aloud: one clear statement, which goes on record as your claim.{citing}")
INSULT = Template("{speaker} wants to say:\n\n{proposed}\n\nDoes that attack the person and not the argument?")
CLOSE = Template(
    "{heard}\n\nThe dialogue is over. Make your final statement, in at most 150 words: what of your case still stands, "
    "what you now grant, what would change your mind. Bring no new arguments."
)
NOTHING = "nothing"
GIVE_UP = Template(
    "Do you grant any of this now, or take something back? It goes on record. Choose one by its label, or "
    f"`{NOTHING}`:\n\n{{options}}"
)
WINNER = Template("{account}\n\n{outcome} Who wins?")
EXPLAIN = Template("{account}\n\n{outcome} Explain this verdict in at most 250 words, naming arguments by their ids.")
AGREE = Template("Name a consensus that both sides could sign, in one or two sentences.")
