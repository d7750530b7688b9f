"""What an agent is doing and where a debate stands, in the words that every interface shows."""

from collections.abc import Mapping, Sequence

from moot.engine.define.capabilities import LiveView
from moot.engine.staging.plan import plan
from moot.engine.staging.runs import Run
from moot.plugins.guard import Broken, guarded, guarded_wait
from moot.record.entry import Entry
from moot.text.prose import plural

RECAP = "summary"
"""The last word in the key of a call in which an agent sums up its own memory; see `engine.play.exchanges`."""
RECAPPING = "is summing up what came before"
OTHERWISE = "is answering"
USUAL = {
    "answer": "is answering",
    "attack": "is looking for a weakness",
    "check": "is checking",
    "closing": "is closing the case",
    "conclusion": "is drawing the conclusion",
    "decision": "is deciding",
    "defence": "is answering an attack",
    "estimate": "is making an estimate",
    "final": "is writing the final answer",
    "opening": "is opening the case",
    "plan": "is writing the plan",
    "question": "is asking a question",
    "ranking": "is ranking the answers",
    "rebuttal": "is answering the other side",
    "statement": "is making a statement",
    "think": "is thinking",
    "vote": "is voting",
}
"""Words that keys of calls often have, for protocols without words of their own for them."""


def steps_of(live: LiveView) -> dict[str, str]:
    """The activities of a protocol by a word in the key of a call: its own, and the usual ones."""
    return {**USUAL, **live.steps}


def step_of(live: LiveView, key: str) -> str:
    """The purpose of a call: the last word of its key that the protocol knows; empty if it knows none."""
    return _step(steps_of(live), key.split("/")[1:])[0]


def doing(live: LiveView, key: str) -> str:
    """What an agent does in a call, after its name: "is thinking about turn 3"."""
    parts = key.split("/")[1:]
    if parts[-1:] == [RECAP] and (len(parts) > 1 or RECAP not in live.steps):
        return RECAPPING
    steps = steps_of(live)
    step, number = _step(steps, parts)
    return steps.get(step, OTHERWISE).replace(" {number}", f" {number}" if number else "")


def place(live: LiveView, entries: Sequence[Entry]) -> str:
    """Where a debate stands by its log, such as "turn 3 of 6"; empty if its protocol does not say."""
    own = [entry for entry in entries if not entry.outside]
    found = guarded(lambda: live.place(own)) if own else ""
    return "" if isinstance(found, Broken) else found


def calls_of(done: int, planned: int | None) -> str:
    """The number of calls so far, out of the planned ones. A script can make more or fewer calls than its plan."""
    if planned is None:
        return f"{plural(done, 'call')} so far"
    return f"{done} of about {plural(planned, 'call')}" if done <= planned else f"{done} calls, {planned} were planned"


async def planned_calls(run: Run) -> int | None:
    """The calls of a debate by its plan; None if it cannot be planned."""
    planned = await guarded_wait(plan(run.config, check=lambda _: None))
    return None if isinstance(planned, Broken) else planned.calls


def _step(steps: Mapping[str, str], parts: Sequence[str]) -> tuple[str, str]:
    """The last part that is a step, and the number behind it."""
    for at in range(len(parts) - 1, -1, -1):
        if parts[at] in steps:
            after = parts[at + 1 : at + 2]
            return parts[at], after[0] if after and after[0].isdecimal() else ""
    return "", ""
