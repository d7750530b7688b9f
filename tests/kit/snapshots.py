"""Every prompt as it is sent, in one file for each protocol and role: `python -m tests.kit.snapshots` writes them anew.

A file reads from top to bottom: the system prompt, then every message to the agent, with the schema of the reply where
it has one. Replies are filler, so only their place is shown; of calls that differ in their number alone, two are shown.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import moot
from tests.kit.recorded import CLAIM, IDEA, SETTLED, TASK, Case, recorded

FOLDER = Path(__file__).parent.parent / "snapshots"
SUM = "How much is 7 times 12?"
MERGED = "Should the change in [D1] be merged?"
NOTES = {"title": "Notes on roads", "text": "A road of one mile costs a million."}
CHANGE = {
    "title": "A change of 1 file (+1, -1): roads.py",
    "text": "--- a/roads.py\n+++ b/roads.py\n@@ -7 +7 @@\n-cost = miles * price\n+cost = miles / price",
}
CASES = {
    "duel": Case("duel", "", CLAIM, {"claim": CLAIM, "turns": 4}),
    "duel-without-claim": Case("duel", "", TASK, {"kind": "open", "turns": 2}),
    "duel-framed": Case("duel", "", TASK, {"turns": 2}),
    "duel-with-jury": Case("duel", "", CLAIM, {"claim": CLAIM, "turns": 2, "jury": 3}),
    "duel-factual": Case("duel", "", SUM, {"options": ["84", "82"], "factual": True, "turns": 2}),
    "arena": Case(
        "arena", "", TASK, {"agents": 3, "trickster": True, "observer": True, "documents": [NOTES], **SETTLED}
    ),
    "panel": Case("panel", "", IDEA, {"max_revisions": 1}),
    "panel-improvement": Case("panel", "", IDEA, {"kind": "improvement"}),
    "panel-change": Case("panel", "", MERGED, {"kind": "change", "documents": [CHANGE], "max_rounds": 2}),
    "chaired": Case("chaired", "", CLAIM, {"max_rounds": 1}),
    "persuasion": Case("persuasion", "", CLAIM, {"claim": CLAIM, "rounds": 1, "documents": [NOTES]}),
    "persuasion-without-facts": Case("persuasion", "", CLAIM, {"claim": CLAIM, "rounds": 1}),
    "council": Case("council", "", TASK, {"agents": 2}),
    "multiagent": Case("multiagent", "", TASK, {"agents": 3, "rounds": 1}),
    "delphi": Case("delphi", "", TASK, {"agents": 3, "rounds": 2, "unit": "pounds"}),
    "oxford": Case("oxford", "", CLAIM, {"claim": CLAIM, "agents": 3}),
    "socratic": Case("socratic", "", CLAIM, {"claim": CLAIM, "questions": 2}),
    "hats": Case("hats", "", TASK),
    "redteam": Case("redteam", "", IDEA, {"attacks": 2}),
    "oversight": Case("oversight", "", TASK, {"passage": "The money went to the bridge.", "rounds": 1}),
    "rejudged-duel": Case("duel", "", CLAIM, {"claim": CLAIM, "turns": 2}, rejudged=True),
    "rejudged-arena": Case("arena", "", TASK, {"agents": 3, **SETTLED}, rejudged=True),
}
MOST_OF_A_KIND = 2
SAME = (
    *("tomas", "mei", "pragmatist", "critic", "advocate", "attacker", "maintainer", "author", "jury-2", "member-2"),
    *("agent-2", "agent-3", "expert-2", "expert-3", "listener-2", "listener-3", "debater-2"),
)
"""Agents whose prompts are those of another but for the personality."""
SMALL = [name for name, case in CASES.items() if case.protocol == "duel" and not case.rejudged]
"""Debates that have short prompts for a small model."""


def snapshots(name: str, *, small: bool) -> dict[str, str]:
    """The files of one case, by their names in its folder."""
    by_role: dict[str, list[moot.Request]] = {}
    for request in recorded(CASES[name], small=small, brief=True):
        by_role.setdefault(request.agent.partition("@")[0], []).append(request)
    suffix = ".small.md" if small else ".md"
    return {
        f"{role}{suffix}": f"# {name}, {role}{', small form' * small}\n\n{_written(requests)}"
        for role, requests in by_role.items()
        if role not in SAME
    }


def _written(requests: Iterable[moot.Request]) -> str:
    return "\n\n".join(part for request in _in_order(requests) for part in request) + "\n"


def _in_order(requests: Iterable[moot.Request]) -> Iterator[list[str]]:
    """The parts of each request that its agent has not been sent before."""
    known: dict[str, list[moot.Message]] = {}
    systems, kinds = set[str](), Counter[str]()
    for request in requests:
        before, known[request.agent] = known.get(request.agent, []), list(request.messages)
        kinds[kind := re.sub(r"\d+", "", request.key)] += 1
        if kinds[kind] > MOST_OF_A_KIND:
            continue
        kept = len(before) if list(request.messages[: len(before)]) == before else 0
        parts = [f"## {request.key}{f', try {request.attempt}' * (request.attempt > 1)}"]
        for message in request.messages[kept:]:
            if message.role == "system":
                parts.insert(0, "*(the same system prompt)*" if message.content in systems else message.content)
                parts.insert(0, f"## {request.agent}: system")
                systems.add(message.content)
            elif message.role == "user":
                parts.append(message.content)
            elif not kept:
                parts.append("*(reply)*")
        if request.schema is not None:
            parts.append(f"*(beside it)* `{json.dumps(request.schema, ensure_ascii=False)}`")
        yield parts


def main() -> None:
    for name in CASES:
        folder = FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        written = {**snapshots(name, small=False), **(snapshots(name, small=True) if name in SMALL else {})}
        for file in folder.iterdir():
            if file.name not in written:
                file.unlink()
        for file_name, text in written.items():
            (folder / file_name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
