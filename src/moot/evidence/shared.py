"""A shared context: what folders and their git histories say about a question, the same for all sides of a debate."""

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel

from moot.evidence.folders import passages
from moot.evidence.git import commits


class Quotation(BaseModel):
    """`quote` is verbatim from the source."""

    source: str
    quote: str


class Findings(BaseModel):
    """The quotations, best first, files before commits; the number of files read; and the numbers of files left out, by
    reason."""

    quotations: list[Quotation]
    files: int
    left_out: dict[str, int]


async def findings(paths: Sequence[str], query: str, most_passages: int, most_commits: int) -> Findings:
    """Run `read_findings` in a thread."""
    return await asyncio.to_thread(read_findings, paths, query, most_passages, most_commits)


def read_findings(paths: Sequence[str], query: str, most_passages: int, most_commits: int) -> Findings:
    """The best matches for the query in these folders or files and in the git history of each. Blocks."""
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
