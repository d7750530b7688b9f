"""How a persuasion dialogue is put to people: they choose from a list, and speak in sentences."""

import re
from typing import Any, Literal

from pydantic import BaseModel, create_model

from moot.api import Agent, Fact, Failure, Prompt, Room, Template
from moot.protocols.persuasion.moves import Option, Premise, Proposal

FIXED = {"why": "Why? What makes you say so?", "concede": "I grant that.", "retract": "I take that back."}


class Choice(BaseModel):
    """The real shape, with the labels of the legal moves, is made for each position."""

    move: str


async def choose(room: Room, agent: Agent, labels: list[str], at: str, prompt: Prompt) -> str | Failure:
    """One of the labels."""
    choices: Any = Literal[tuple(labels)]
    shape = create_model("Choice", __base__=Choice, move=(choices, ...))
    chosen = await room.ask_for(shape, agent, prompt, at)
    return chosen if isinstance(chosen, Failure) else chosen.move


async def word(room: Room, agent: Agent, option: Option, at: str, known: dict[str, Fact]) -> Proposal:
    """The move in sentences. For `since` each line is a premise; facts are cited as [K1]."""
    if option.act == "since":
        said = await room.ask(agent, REASON(**known), at)
        lines = [line for line in said.text.splitlines() if line.strip()]
        premises = [Premise(line.strip(), _cited(line)) for line in lines]
        return Proposal(option, said.text, tuple(premises))
    said = await room.ask(agent, (OPEN if option.attack is None else RETORT)(**known), at)
    return Proposal(option, said.text, evidence=_cited(said.text))


def told(wrong: str) -> str:
    return f"That will not do: {wrong}.\n\n" if wrong else ""


def _cited(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"[\[［【](K\d+)", text)))


CHOOSE = Template("""
{returned}{heard}

{stage} {task}

Choose one of these moves by its label:

{options}
""")
OPEN = Template("{wrong}Now put the proposition forward, aloud, in one or two sentences.")
REASON = Template(
    "{wrong}Now give your reasons for it, one or two: a line each, a single sentence that could be true or "
    "false by itself.{citing}"
)
RETORT = Template("{wrong}Now make that move, aloud: one clear statement, which goes on record as your claim.{citing}")
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
