"""A shared context: what folders and their histories say of a question, for all sides of a debate alike."""

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel

from moot.evidence.folders import passages
from moot.evidence.git import commits


class Quotation(BaseModel):
    """`quote` stands in the source word for word."""

    source: str
    quote: str


class Findings(BaseModel):
    """The quotations, best first, files before commits; how many files were read; and why how many were not."""

    quotations: list[Quotation]
    files: int
    left_out: dict[str, int]


async def findings(paths: Sequence[str], query: str, most_passages: int, most_commits: int) -> Findings:
    """The same as `read_findings`, in a thread."""
    return await asyncio.to_thread(read_findings, paths, query, most_passages, most_commits)


def read_findings(paths: Sequence[str], query: str, most_passages: int, most_commits: int) -> Findings:
    """What answers the query best in these folders or files and in the git history of each. Blocks."""
    gathered = passages(paths, query, most_passages)
    history = {commit.hash: commit for path in paths for commit in commits(path, query, most_commits)}
    best = sorted(history.values(), key=lambda commit: -commit.score)[:most_commits]
    return Findings(
        quotations=[
            *(Quotation(source=one.source, quote=one.quote) for one in gathered.excerpts),
            *(Quotation(source=one.source, quote=one.quote) for one in best),
        ],
        files=gathered.files,
        left_out=dict(gathered.left_out),
    )
