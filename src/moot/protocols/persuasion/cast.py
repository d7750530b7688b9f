"""The participants of a persuasion dialogue, their shared context, and the state of the dialogue."""

from dataclasses import dataclass, field

from moot.api import (
    FRAMER,
    Agent,
    Draft,
    Header,
    Member,
    Prompt,
    Room,
    claim_and_denial,
    flags_of,
    frame,
    member,
    with_question,
)
from moot.api import Side as Stance
from moot.evidence.shared import Findings, findings, read_findings
from moot.protocols.personas import check_size
from moot.protocols.persuasion.config import Biased, PersuasionConfig
from moot.protocols.persuasion.framework import payload_of
from moot.protocols.persuasion.moves import SIDES, Side
from moot.protocols.persuasion.payloads import SharedContext, SharedFact
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.prompts import DEBATER_SYSTEM, LOOK_SYSTEM, MODERATOR_SYSTEM, context_text, worded

MOST_PASSAGES, MOST_COMMITS = 10, 5
CONTEXT = "context"
COLOURS = {"proponent": "cyan", "opponent": "magenta", "moderator": "yellow"}
RULES_SPEAKER = "moot"
"""The speaker of moves that the rules of the game make."""


@dataclass(slots=True)
class Talk:
    """The cast and the position of the game. `public` are the entries for everyone, in order; `heard` is how many of
    them each side has received."""

    room: Room
    config: PersuasionConfig
    agents: dict[Side, Agent]
    moderator: Agent
    state: Dialogue
    facts: list[SharedFact]
    public: list[Draft] = field(default_factory=list)
    heard: dict[Side, int] = field(default_factory=lambda: {"PRO": 0, "OPP": 0})
    written: dict[str, Draft] = field(default_factory=dict)

    def phase(self) -> str:
        place = self.state.place
        if place is None or place[2] == "closing":
            return "closing"
        return "round 0" if place[0] == 0 else "rounds"

    def news(self, side: Side) -> list[Draft]:
        """The public statements of others since that side was last informed."""
        since, self.heard[side] = self.heard[side], len(self.public)
        return [draft for draft in self.public[since:] if draft.speaker != self.agents[side].name]

    def advance(self, state: Dialogue, phase: str, call: str | None = None, failure: str | None = None) -> None:
        """Go to a later position and log the moves that led to it, the speaker's first."""
        for move in state.moves[len(self.state.moves) :]:
            speaker = RULES_SPEAKER if move.rule else self.agents[move.side]
            draft = self.room.emit(
                "move",
                speaker,
                worded(move, state.propositions),
                phase=phase,
                data=payload_of(move, None if move.rule else failure),
                rebuttal_to=self.written.get(move.target or ""),
                call=None if move.rule else call,
            )
            self.written[move.id] = draft
            self.public.append(draft)
        self.state = state


async def open_talk(room: Room, config: PersuasionConfig) -> Talk:
    """Collect the shared context, seat the cast, and log both."""
    found = Findings(quotations=[], files=0, left_out={})
    if config.evidence:
        found = await room.learn(Findings, CONTEXT, lambda: _find(room, config))
    facts = [
        SharedFact(id=f"K{number}", source=one.source, quote=one.quote)
        for number, one in enumerate(found.quotations, start=1)
    ]
    cast = {part: room.agent(part, own.name, FRAMER(), own.speaks_through) for part, own in config.cast.items()}
    agents: dict[Side, Agent] = {side: cast[part] for side, part in SIDES.items()}
    moderator = cast["moderator"]
    everybody = [*agents.values(), moderator]
    check_size(cast.values(), "a persuasion dialogue, whose moves have a form")
    asked = await frame(room, config, everybody, moderator)
    claim, denial = claim_and_denial(asked, config.topic)
    config = config.model_copy(update={"claim": claim, "denial": denial})
    for side, agent in agents.items():
        agent.instruct(_debater(room, config, side, facts))
    moderator.instruct(_moderator(room, config, facts))
    header = Header(
        protocol="persuasion",
        topic=config.topic,
        cast=[_member(agent, config.cast[agent.id]) for agent in everybody],
        flags=room.flags(lambda: flags_of(everybody, moderator)),
    )
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    context = SharedContext(
        proposition=config.proposition,
        denial=config.opposite,
        rounds=config.rounds,
        perspective=config.perspective,
        facts=facts,
        documents=len(room.documents),
        searched=len(config.evidence),
        files=found.files,
        left_out=found.left_out,
        require=list(config.require),
    )
    room.emit("context", "moot", _told(context), phase="setup", data=context)
    state = Dialogue(config.proposition, config.opposite, config.rounds, _citable(room, facts))
    return Talk(room, config, agents, moderator, state, facts)


def _citable(room: Room, facts: list[SharedFact]) -> dict[str, str]:
    """The texts that can be cited, by id. That of an image is empty, and a recalled decision is none."""
    numbered = {f"D{number}": document for number, document in enumerate(room.documents, start=1) if document.is_fact}
    given = {number: "" if document.image else document.text for number, document in numbered.items()}
    return {fact.id: fact.quote for fact in facts} | given


async def _find(room: Room, config: PersuasionConfig) -> Findings:
    if room.carried is not None:
        return room.carried.get(Findings, CONTEXT)
    return await findings(config.evidence, _query(config), MOST_PASSAGES, MOST_COMMITS)


def _query(config: PersuasionConfig) -> str:
    return " ".join([config.topic, config.perspective or ""])


def carry(config: PersuasionConfig) -> dict[str, Findings]:
    """The shared context, for a run on a machine that does not have its sources."""
    if not config.evidence:
        return {}
    return {CONTEXT: read_findings(config.evidence, _query(config), MOST_PASSAGES, MOST_COMMITS)}


def _told(context: SharedContext) -> str:
    sides = f"The claim: {context.proposition}\nIts denial: {context.denial}"
    quoted = (f"{one.id} ({one.source})\n{one.quote}" for one in context.facts)
    return "\n\n".join([sides, f"To cite: {context.gathered or 'nothing'}.", *quoted])


def _debater(room: Room, config: PersuasionConfig, side: Side, facts: list[SharedFact]) -> Prompt:
    part = SIDES[side]
    persona = config.cast[part]
    stance = config.proposition if side == "PRO" else config.opposite
    return DEBATER_SYSTEM(
        **_frame(config),
        name=persona.name,
        personality=persona.personality,
        bias=persona.bias,
        role=part,
        stance=stance,
        context=context_text(facts, documents=any(document.is_fact for document in room.documents)),
    )


def _moderator(room: Room, config: PersuasionConfig, facts: list[SharedFact]) -> Prompt:
    persona = config.moderator
    seen_by = f" You weigh it from the viewpoint of: {config.perspective}." if config.perspective else ""
    return MODERATOR_SYSTEM(
        **_frame(config),
        name=persona.name,
        personality=persona.personality,
        bias=persona.bias,
        pro_bias=config.proponent.bias,
        opp_bias=config.opponent.bias,
        perspective=seen_by,
        context=context_text(facts, documents=any(document.is_fact for document in room.documents)),
    )


def looker(talk: Talk, at: str) -> Agent:
    """The moderator for one look at a move, without any other knowledge of the dialogue."""
    persona = talk.config.moderator
    system = LOOK_SYSTEM(name=persona.name, **_frame(talk.config))
    return talk.room.agent(f"moderator@{at}", persona.name, system, persona.speaks_through)


def _frame(config: PersuasionConfig) -> dict[str, str]:
    """The facts of the dialogue in every system prompt."""
    return {
        "posed": with_question(config.proposition, config.topic),
        "denial": config.opposite,
        "rounds": f"{config.rounds} rounds" if config.rounds > 1 else "1 round",
        "pro": config.proponent.name,
        "opp": config.opponent.name,
        "moderator": config.moderator.name,
    }


def _member(agent: Agent, persona: Biased) -> Member:
    sides: dict[str, Stance] = {"proponent": "for", "opponent": "against"}
    role = "debater" if agent.id in sides else agent.id
    told = f"{persona.personality}\n\nBias: {persona.bias}"
    return member(agent, role, told, persona.colour or COLOURS[agent.id], sides.get(agent.id))
