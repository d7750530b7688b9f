"""The debates of the outage scenarios, and what each says where nothing goes wrong."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kit.endpoint import FakeEndpoint
from tests.kit.persuasions import CAST, TOPIC
from tests.kit.workers import LIMIT, debates, replies, said

import moot

PARAGRAPH = "The inspection of section {0} found {0} rusted cables, and that repairs would take {0} weeks. "
FILES, PARAGRAPHS = 40, 500
"""Some two megabytes of evidence in all."""
DOCUMENT = 1000
"""Paragraphs of a document, some ninety kilobytes."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """`said` are the entries of each debate, and `calls` the replies of all, as they are without any outage."""

    configs: dict[str, moot.RunConfig]
    said: dict[str, list[str]]
    calls: int


def make_jobs(count: int, folder: Path, *, carrying: bool) -> Jobs:
    """So many debates. If `carrying`, half have a document in their config, and half carry a folder of evidence."""
    configs = _carrying(count, folder) if carrying else debates(count)
    results = asyncio.run(_undisturbed(configs, folder / "runs"))
    assert all(one.status == "done" for one in results.values())
    runs = {name: moot.find_run(one.run) for name, one in results.items()}
    calls = sum(record.kind == "reply" for run in runs.values() for record in run.records())
    return Jobs(configs, {name: said(run) for name, run in runs.items()}, calls)


def _carrying(count: int, folder: Path) -> dict[str, moot.RunConfig]:
    evidence = folder / "evidence"
    evidence.mkdir()
    for number in range(FILES):
        text = f"# Section {number}\n\n" + PARAGRAPH.format(number) * PARAGRAPHS
        (evidence / f"{number}.md").write_text(text, "utf-8")
    document = {"title": "Council notes", "text": PARAGRAPH.format(7) * DOCUMENT}
    settings: dict[str, Any] = {"model": "fake/model", "seed": 1, "concurrency": LIMIT, "rounds": 1, **CAST}
    others = {
        f"p{number}": moot.configure("persuasion", topic=f"{TOPIC} ({number})", evidence=[str(evidence)], **settings)
        for number in range(count - count // 2)
    }
    return debates(count // 2, documents=[document]) | others


async def _undisturbed(configs: dict[str, moot.RunConfig], folder: Path) -> dict[str, moot.Result]:
    async with FakeEndpoint(faults=lambda _, asked: replies(asked)) as endpoint:
        os.environ["FAKE_BASE_URL"] = endpoint.url
        try:
            found = {}
            for name, config in configs.items():
                options = config.options.model_copy(update={"out": str(folder)})
                found[name] = await moot.run(moot.RunConfig(config.protocol, options, config.debate))
            return found
        finally:
            del os.environ["FAKE_BASE_URL"]
