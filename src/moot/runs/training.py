"""Runs as data for analysis and training: the conversations of agents, and pairs of texts of which one was preferred.

Both are lines of JSON. A pair is included only if a judge or a vote supports it: ties, unstable verdicts, unfinished
debates and demonstrations are left out, and counted.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from moot.engine.define.capabilities import Training
from moot.engine.define.gate import Decides
from moot.engine.outcome.result import Result, cast_names
from moot.engine.play.agent import DEMONSTRATION, part_of
from moot.engine.play.structured import without_thought
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.models.base import Message
from moot.models.scripted import is_demo
from moot.record.entry import first_data
from moot.record.journal import Record, conversations
from moot.record.payloads import Header

SHORTEST_SECRET = 20
"""Characters; what is shorter is found in many texts by chance."""
REASONS = {
    "ties": "of which neither was preferred",
    "unstable": "of an unstable verdict",
    "unfinished": "of a debate that is not finished",
    "demonstration": "of a demonstration",
}
"""Why pairs are left out."""


def chat_lines(run: Run, *, private: bool = False) -> list[str]:
    """The conversations of each agent as they were sent, with the roles system, user and assistant, one a line.

    An agent that began without memory several times has several. Plans and thoughts are there only if they are asked
    for: without, a reply that was not said to all is left out, and so is a question that repeats one.
    """
    entries = run.entries()
    names = cast_names(entries)
    said = {entry.call for entry in entries if entry.to == "all"}
    secrets = [entry.content for entry in entries if entry.to != "all" and len(entry.content) >= SHORTEST_SECRET]
    about = {"run": run.name, "protocol": run.config.protocol.name, "topic": run.config.topic}
    lines = []
    for agent, start, exchanges in _conversations(run.records()):
        messages, model = [one for one in start if private or one.role == "system"], None
        for record, asked in exchanges:
            reply = record.reply or ""
            if not private and (record.key not in said or _repeats(asked, secrets)):
                continue
            if (told := reply if private else without_thought(reply)) is not None:
                messages += [asked, Message("assistant", told)]
                model = record.model
        if model is None:
            continue
        found = {"agent": names.get(part_of(agent), agent), "part": agent, "model": model}
        shown = [{"role": message.role, "content": message.content} for message in messages]
        lines.append(_line({**about, **found, "messages": shown}))
    return lines


async def preference_lines(run: Run, left_out: Counter[str]) -> list[str]:
    """Pairs of texts of which a judge or a vote preferred one, one a line; `left_out` counts the others by reason."""
    protocol = run.config.protocol
    training = protocol.get(Training)
    if training is None:
        return []
    result = await result_of(run)
    found = training.preferences(result.outcome, run.entries()) if result.outcome is not None else None
    why = _unfit(result, run, protocol.get(Decides))
    if why == "unstable" and found is not None and not found.pairs:
        why = None  # it is a tie
    if why is not None:
        left_out[why] += (len(found.pairs) if found else 0) or 1
        return []
    if found is None:
        return []
    left_out["ties"] += found.ties
    about = {"run": run.name, "protocol": protocol.name}
    return [
        _line(
            {
                **about,
                "prompt": [{"role": "user", "content": one.prompt}],
                "chosen": [{"role": "assistant", "content": one.chosen}],
                "rejected": [{"role": "assistant", "content": one.rejected}],
                "chosen_from": one.chosen_from,
                "rejected_from": one.rejected_from,
                "by": one.by,
                "votes": list(one.votes) if one.votes else None,
            }
        )
        for one in found.pairs
    ]


def left_out_words(left_out: Counter[str]) -> str | None:
    """What was left out, in a sentence; None if nothing was."""
    told = [f"{number} {REASONS[why]}" for why, number in left_out.items() if number]
    return f"pairs left out: {', '.join(told)}" if told else None


def _unfit(result: Result, run: Run, decides: Decides | None) -> str | None:
    """The reason why the verdict of a run supports no pair."""
    codes = {flag.code for flag in result.flags}
    if result.status != "done":
        return "unfinished"
    header = first_data(run.entries(), Header)
    if DEMONSTRATION in codes or (header and any(is_demo(name) for one in header.cast for name in one.models)):
        return "demonstration"
    return "unstable" if decides is not None and codes & decides.refused.keys() else None


def _conversations(
    records: Sequence[Record],
) -> Iterator[tuple[str, Sequence[Message], list[tuple[Record, Message]]]]:
    """Each agent's conversations: the messages at the beginning, and the replies with what was asked."""
    open_ones: dict[str, tuple[list[Message], Sequence[Message], list[tuple[Record, Message]]]] = {}
    for record, request in conversations(records):
        agent = record.agent or ""
        known = open_ones.get(agent)
        if known is not None and request[: len(known[0])] == known[0]:
            start, exchanges = known[1:]
        else:
            if known is not None:
                yield agent, *known[1:]
            start, exchanges = request[:-1], []
        exchanges.append((record, request[-1]))
        open_ones[agent] = ([*request, Message("assistant", record.reply or "")], start, exchanges)
    for agent, (_, start, exchanges) in open_ones.items():
        yield agent, start, exchanges


def _repeats(asked: Message, secrets: Sequence[str]) -> bool:
    return any(secret in asked.content for secret in secrets)


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)
