"""Every protocol, recorded: the requests of whole debates that are answered with filler."""

import asyncio
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import moot
from tests.kit.filler import SOURCE, filler_model, prose

QUOTE = "Trams carry four thousand people an hour in one lane."
CLAIM = "Trams are better for a town than cars."
TASK = "How should a town spend its money on roads?"
IDEA = "Replace the nightly import of orders with a queue."
SETTLED = {"max_extra_rounds": 0}
"""The votes are filler, too: they never settle an arena."""


@dataclass(frozen=True, slots=True)
class Case:
    """A debate to record; `part` is what it has of its protocol, and with `rejudged` its judging again is recorded."""

    protocol: str
    part: str
    topic: str
    settings: dict[str, Any] = field(default_factory=dict)
    rejudged: bool = False

    @property
    def name(self) -> str:
        return f"{'rejudged ' * self.rejudged}{self.protocol}, {self.part}"


CASES = {
    case.name: case
    for case in (
        Case("duel", "6 turns", CLAIM, {"claim": CLAIM, "turns": 6}),
        Case("duel", "12 turns", CLAIM, {"claim": CLAIM, "turns": 12}),
        Case("arena", "3 agents", TASK, {"agents": 3, **SETTLED}),
        Case("arena", "6 agents", TASK, {"agents": 6, **SETTLED}),
        Case("arena", "3 agents, 6 revisions", TASK, {"agents": 3, "revision_rounds": 6, **SETTLED}),
        Case("persuasion", "2 rounds", CLAIM, {"claim": CLAIM, "rounds": 2}),
        Case("persuasion", "4 rounds", CLAIM, {"claim": CLAIM, "rounds": 4}),
        Case("chaired", "2 rounds", CLAIM, {"min_rounds": 2, "max_rounds": 2}),
        Case("chaired", "4 rounds", CLAIM, {"min_rounds": 4, "max_rounds": 4}),
        Case("panel", "idea", IDEA, {"max_revisions": 0}),
        Case("panel", "improvement", IDEA, {"kind": "improvement"}),
        Case("duel", "6 turns", CLAIM, {"claim": CLAIM, "turns": 6}, rejudged=True),
        Case("arena", "3 agents", TASK, {"agents": 3, **SETTLED}, rejudged=True),
    )
}


def recorded(case: Case, **settings: Any) -> list[moot.Request]:
    """The requests of that debate, in the order they were sent."""
    words = 12 if settings.get("brief") else 150
    model = filler_model(**{name: settings.pop(name) for name in ("small", "brief", "long") if name in settings})
    with tempfile.TemporaryDirectory() as folder:
        given = {"model": model.name, "seed": 1, "out": folder, **case.settings, **settings}
        if case.protocol == "chaired":
            given["evidence"] = {"pack": _pack(Path(folder), words)}
        given["idea" if case.protocol == "panel" else "topic"] = case.topic
        config = moot.configure(case.protocol, **given)
        result = asyncio.run(moot.run(config, models={model.name: model}, reports=False))
        assert result.status == "done", f"{case.name}: {result.reason}"
        if case.rejudged:
            model.requests.clear()
            given = {"judges": [model.name], "models": {model.name: model}, "out": folder, "seed": 1}
            again = moot.rejudge([moot.find_run(result.run)], **given)
            assert asyncio.run(again)[0].status == "done", case.name
    return model.requests


def _pack(folder: Path, words: int) -> str:
    """Eight pages of evidence, each of so many words."""
    pages = [{"url": SOURCE, "title": "Trams", "text": f"{QUOTE} {prose('trams', words)}"}]
    pages += [
        {
            "url": f"https://pack.example/{number}",
            "title": f"Page {number}",
            "text": f"Trams. {prose(str(number), words)}",
        }
        for number in range(1, 8)
    ]
    path = folder / "pack"
    path.mkdir()
    (path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    return str(path)
