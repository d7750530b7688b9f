"""Did debating change anything? The chair and the audience say in private how much they agree with the topic, before
the first statement and after the last."""

from dataclasses import dataclass

from moot.api import Failure, Task
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage, is_somebody
from moot.protocols.chaired.config import Role
from moot.protocols.chaired.payloads import Leaning
from moot.protocols.chaired.record import standing
from moot.protocols.chaired.shapes import Leant, LeantBefore

ASKED: tuple[Role, ...] = ("chair", "audience")


@dataclass(frozen=True, slots=True)
class Before:
    """A question before the debate; the answer is awaited at its end."""

    role: Role
    answer: "Task[Leant | Failure]"


def ask_before(stage: Stage) -> list[Before]:
    """Ask only models: people and outside agents would be asked before there is anything to hear."""
    asked = [role for role in ASKED if not is_somebody(stage.agent(role, "before"))]
    return [Before(role, _lean(stage, role, "before")) for role in asked]


async def ask_after(stage: Stage, asked: list[Before]) -> None:
    """Ask again, and record the change. Only the agent itself sees the answer."""
    told = [_lean(stage, one.role, "after") for one in asked]
    known = {draft.seq for draft in standing(stage.record)}
    for one, later in zip(asked, told, strict=True):
        before, after = await one.answer, await later
        failure = next((found.reason for found in (before, after) if isinstance(found, Failure)), None)
        first = None if isinstance(before, Failure) else before.leaning
        last = None if isinstance(after, Failure) else after.leaning
        moved_by = [] if isinstance(after, Failure) else [seq for seq in after.moved_by if seq in known]
        reason = "" if isinstance(after, Failure) else stage.masked(after.reason)
        data = Leaning(before=first, after=last, moved_by=moved_by, reason=reason, failure=failure)
        text = in_words(data)
        key = f"{one.role}@after/leaning"
        stage.room.emit("leaning", one.role, text, phase="closing", to=[one.role], data=data, call=key)


def _lean(stage: Stage, role: Role, when: str) -> "Task[Leant | Failure]":
    """Ask while the debate continues; the question is made now, from the current record."""
    agent = stage.agent(role, when)
    words = {"before": "before anything was said", "after": "now that all was said"}[when]
    prompt = prompts.LEANING(
        record=stage.shown(),
        you=prompts.LISTENERS[role],
        when=words,
        moved_by="" if when == "before" else prompts.MOVED_BY,
    )

    async def ask() -> Leant | Failure:
        if when == "before":
            first = await stage.room.ask_for(LeantBefore, agent, prompt, "leaning")
            return first if isinstance(first, Failure) else Leant(**first.model_dump(), moved_by=[])
        return await stage.room.ask_for(Leant, agent, prompt, "leaning")

    return stage.room.start_background(ask())


def in_words(leaning: Leaning) -> str:
    """What moved, and after which entries."""
    if leaning.before is None or leaning.after is None:
        return "No leaning before and after could be had."
    if leaning.before == leaning.after:
        return f"Leant {leaning.before} of 100 to the topic before and after."
    by = f", after {', '.join(f'#{seq}' for seq in leaning.moved_by)}" if leaning.moved_by else ""
    side = "towards" if leaning.after > leaning.before else "away from"
    return f"Moved {side} the topic, from {leaning.before} to {leaning.after} of 100{by}. {leaning.reason}"
