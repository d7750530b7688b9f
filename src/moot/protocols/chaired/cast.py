"""Setting the stage of a chaired debate: the seven roles, their instructions, and the memory of the script.

Every question goes to a new agent, such as `promoter@r3`, that knows only the current record. So redacted text cannot
come back from an agent's history.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Unpack

from moot.api import (
    Agent,
    Draft,
    Failure,
    Links,
    Member,
    Payload,
    Prompt,
    Room,
    Side,
    fenced,
    flags_of,
    member,
    now,
)
from moot.evidence import Passage
from moot.evidence.ranking import overlap
from moot.present import Flag
from moot.protocols.chaired import prompts
from moot.protocols.chaired.checks import most_words
from moot.protocols.chaired.config import DEBATERS, ROLES, ChairedConfig, Role, RolePersona, persona
from moot.protocols.chaired.desk import Desk
from moot.protocols.chaired.payloads import Announcement, Setup
from moot.protocols.chaired.record import mask_of, on_record, standing
from moot.protocols.chaired.rules import ALLOWED_IN, Record, record_of
from moot.protocols.chaired.sentences import sentences
from moot.protocols.chaired.shapes import Motion
from moot.protocols.personas import check_size
from moot.text.prose import listed

SIDES: Mapping[str, Side] = {"promoter": "for", "detractor": "against"}
COLOURS = dict(zip(ROLES, ("yellow", "cyan", "magenta", "green", "blue", "neutral", "neutral"), strict=True))
EXCERPT_WORDS = 45
"""About how many words of each passage a debater sees, those closest to the topic. Every turn sends them again."""


@dataclass(slots=True)
class Stage:
    """What the script knows at any moment. `record` is every entry so far; `warnings` and `questions` wait for the next
    cue of the debater they concern."""

    room: Room
    config: ChairedConfig
    desk: Desk
    topic: str
    record: list[Draft] = field(default_factory=list)
    warnings: dict[str, list[str]] = field(default_factory=lambda: {role: [] for role in DEBATERS})
    questions: dict[str, list[Draft]] = field(default_factory=lambda: {role: [] for role in DEBATERS})

    def agent(self, role: Role, at: str) -> Agent:
        """A new agent in this role; `at` names the moment."""
        return self._seat(role, at, system_of(role, self.topic, self.config))

    def speaker(self, role: Role, at: str, phase: str) -> tuple[Agent, str]:
        """A debater for one turn, and its role, for the end of its cue. Everything that both debaters share is in the
        system prompt: how to speak, the evidence, and what a round allows. For a closing statement the system prompt is
        that of readers, and the rest comes at the end, so that all of them share the record."""
        agent = self.agent(role, at)
        how = (
            prompts.HOW
            + (prompts.GIVEN if self.room.documents else "")
            + ("" if is_somebody(agent) else prompts.THINKING)
        )
        if phase == "closing":
            return agent, self.you(role) + how
        how += evidence_shown(self.desk.passages, self.topic)
        if phase == "rebuttal":
            record = self.rules_record()
            limits = {kind: most_words(kind, role, record) for kind in ALLOWED_IN[phase]}
            how += (prompts.TYPES + prompts.INTERRUPTIONS).format(**limits)
        return self._seat(role, at, system_of(role, self.topic, self.config, how)), self.you(role)

    def judge_of_conduct(self, at: str, *, closing: bool) -> Agent:
        """The chair for one statement, who has read nothing else. At a closing statement, what is new is for the chair
        who has read the record."""
        own, unsourced = own_words("chair", self.config), "" if closing else prompts.UNSOURCED
        return self._seat("chair", at, prompts.CONDUCT_SYSTEM(topic=self.topic, unsourced=unsourced, own=own))

    def _seat(self, role: Role, at: str, system: Prompt) -> Agent:
        return seated(self.room, role, at, system, self.config)

    def you(self, role: Role) -> str:
        """The role that is asked, for the end of a prompt; the text before it is the same for all."""
        return prompts.ROLES[role] + own_words(role, self.config)

    def emit(
        self, kind: str, speaker: str, text: str, phase: str, data: Payload | None, **links: Unpack[Links]
    ) -> Draft:
        """Write an entry, and remember it for later cues."""
        return self.heard(self.room.emit(kind, speaker, text, phase=phase, data=data, **links))

    def heard(self, draft: Draft) -> Draft:
        """Remember an entry for later cues."""
        self.record.append(draft)
        return draft

    def announce(self, content: str, phase: str, data: Announcement) -> Draft:
        return self.emit("announcement", "chair", content, phase=phase, data=data)

    def lacks(self, what: str, failed: Failure, phase: str, then: str = "", of: Role = "chair") -> None:
        """Record that a role could not judge something, and the consequence."""
        failure = f"{what}: {failed.reason}"
        text = f"{failure[0].upper()}{failure[1:]}. {then}".rstrip()
        data = Announcement(kind="missing", of=of, failure=failure)
        self.heard(self.room.emit("announcement", "chair", text, phase=phase, data=data, call=failed.key))

    def shown(self, since: int = 0) -> "list[Draft] | str":
        """The record as quoted in every cue, from that entry on."""
        return [one for one in on_record(self.record) if (one.seq or 0) >= since] or "Nothing has been said yet."

    def masked(self, text: str) -> str:
        """A text that is not an entry, without struck words."""
        return mask_of(self.record).text(text)

    def quoted(self, draft: Draft) -> Draft:
        """An entry as quoted in a cue."""
        return replace(draft, content=mask_of(self.record).text(draft.content, draft.seq))

    def struck(self) -> list[Draft]:
        """The entries that are redacted."""
        return [one for one in map(self.by_seq, mask_of(self.record).struck) if one is not None]

    def rules_record(self) -> Record:
        return record_of(self.record)

    def last_of(self, role: str) -> Draft | None:
        """The last statement of that debater that is not struck."""
        return next((draft for draft in reversed(standing(self.record)) if draft.speaker == role), None)

    def by_seq(self, seq: int | None) -> Draft | None:
        return next((draft for draft in self.record if seq is not None and draft.seq == seq), None)


def seated(room: Room, role: Role, at: str, system: Prompt, config: ChairedConfig) -> Agent:
    """An agent in a role. An outside agent might never answer, so the wait is limited; a model that fails stops the
    debate, which can then be resumed."""
    agent = room.agent(f"{role}@{at}", role, system, config.model_of(role))
    agent.patience = config.wait_minutes * 60 if is_outside(agent) else None
    return agent


def system_of(role: Role, topic: str, config: ChairedConfig, how: str = "") -> Prompt:
    """The system prompt of a role. Roles that read the record have the same one, and learn who they are at the end."""
    least, most = config.min_rounds, config.max_rounds
    rounds = f"{least} to {most} rounds" if least < most else f"{most} rounds" if most > 1 else "1 round"
    if role == "verifier":
        return prompts.VERIFIER_SYSTEM(own=own_words(role, config))
    return prompts.RECORD_SYSTEM(topic=topic, rounds=rounds, how=how)


def own_words(role: Role, config: ChairedConfig) -> str:
    """The instructions of a role in the config, and the names of the others."""
    own, names = config.cast.get(role, RolePersona()), names_of(config)
    known = {} if role == "verifier" else names  # it judges a sentence, whoever wrote it
    others = listed([f"the {one} is {name}" for one, name in known.items() if one != role])
    said = [
        f"Your name is {own.name}." if own.name else "",
        f"In this debate {others}." if others else "",
        f"Who you are: {own.persona}" if own.persona else "",
        f"What is asked of you besides, within the rules: {own.instructions}" if own.instructions else "",
    ]
    return "".join(f"\n\n{one}" for one in said if one)


def names_of(config: ChairedConfig) -> dict[str, str]:
    return {role: one.name for role in ROLES if (one := config.cast.get(role)) is not None and one.name}


def other(role: Role) -> Role:
    return DEBATERS[DEBATERS[0] == role]


async def set_stage(room: Room, config: ChairedConfig, desk: Desk) -> Stage:
    """Phase 0: find the evidence, check that all agents can answer, settle the topic, introduce the cast."""
    await desk.gather(room, config.topic or config.topic_prompt)
    cast = {
        role: room.agent(role, role, system_of(role, config.topic, config), config.model_of(role)) for role in ROLES
    }
    await room.ready(*cast.values())
    check_size(cast.values(), "a chaired debate, whose roles cite pages and judge them")
    worded = config.topic or await word_topic(room, config)
    topic = config.topic_prompt if isinstance(worded, Failure) else worded
    stage = Stage(room, config, desk, topic)
    setup = Setup(
        protocol="chaired",
        topic=topic,
        cast=[introduced(role, cast[role], config) for role in ROLES],
        flags=room.flags(lambda: [*flags(cast), *desk.flags]),
        min_rounds=config.min_rounds,
        max_rounds=config.max_rounds,
        time_budget_minutes=config.time_budget_minutes,
        evidence=config.evidence.pack,
        names=names_of(config),
        words=config.limits,
    )
    stage.emit("setup", "chair", topic, phase="system", data=setup)
    if isinstance(worded, Failure):
        stage.lacks(
            "no wording of the topic", worded, "system", "What it was to be worded from is debated as it stands."
        )
    stage.announce(f"All seven are ready. The topic: {topic}", "system", Announcement(kind="ready"))
    return stage


async def word_topic(room: Room, config: ChairedConfig) -> str | Failure:
    """The topic that the chair formulates from the prompt."""
    chair = seated(room, "chair", "topic", system_of("chair", config.topic_prompt, config), config)
    asked = prompts.MOTION(prompt=fenced(config.topic_prompt, "topic prompt"))
    found = await room.ask_for(Motion, chair, asked, "topic")
    return found if isinstance(found, Failure) else found.topic


def introduced(role: Role, agent: Agent, config: ChairedConfig) -> Member:
    own = config.cast.get(role, RolePersona())
    said = "debater" if role in DEBATERS else role
    personality = ". ".join(filter(None, [own.name, own.persona or persona(role)]))
    return member(agent, said, personality, COLOURS[role], SIDES.get(role))


def flags(cast: Mapping[Role, Agent]) -> list[Flag]:
    """Flags about the cast; about the verdict only if the chair is related to a debater."""
    at_table = [cast["promoter"], cast["detractor"], cast["chair"]]
    return list(dict.fromkeys([*flags_of(list(cast.values()), None), *flags_of(at_table, cast["chair"])]))


def is_outside(agent: Agent) -> bool:
    return agent.cast_as[0].partition("/")[0] == "external"


def is_somebody(agent: Agent) -> bool:
    """Whether a person or an outside agent holds the role."""
    return agent.cast_as[0].partition("/")[0] in ("external", "human")


def evidence_shown(passages: Sequence[Passage], topic: str) -> str:
    """The passages for the debaters, as a quotation."""
    if not passages:
        return ""
    shown = dict.fromkeys(f"{one.title} <{one.url}>\n{excerpt(one.text, topic)}" for one in passages)
    quoted = fenced("\n\n".join(shown), "evidence")
    return f"\n\nEvidence that was found for the topic. No source outside its pack counts as existing:\n\n{quoted}"


def excerpt(text: str, topic: str) -> str:
    """The sentences of a passage that are nearest to the topic, in their order, in about `EXCERPT_WORDS`."""
    said = [one.text for one in sentences(text)]
    nearest = sorted(range(len(said)), key=lambda place: -(overlap(topic, said[place]) or 0))
    kept, left = set[int](), EXCERPT_WORDS
    for place in nearest:
        if kept and len(said[place].split()) > left:
            break
        kept.add(place)
        left -= len(said[place].split())
    places = sorted(kept)
    gaps = ["" if place in (0, before + 1) else "[…] " for before, place in zip([-1, *places], places, strict=False)]
    return " ".join(f"{gap}{said[place]}" for gap, place in zip(gaps, places, strict=True))


def moment(room: Room, at: str) -> str:
    """The time of a citation; journalled, so that it stays the same."""
    return room.fact(f"cited/{at}", lambda: [now()], 1)[0]
