"""Solves an argument graph in a process that can be killed, since some questions take forever.

As a program, it reads one question as JSON from standard input and writes the answer to standard output.
"""

import asyncio
import json
import sys
import warnings
from itertools import islice
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

import moot
from moot import argument

LONGEST_SECONDS = 30.0
MOST_EXTENSIONS = 100
Task = Literal["score", "extensions", "credulous", "sceptical"]


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    graph: str = Field(max_length=1_000_000)
    task: Task = "score"
    semantics: str = ""
    argument: str | None = None
    format: str | None = None


class Scored(BaseModel):
    argument: str
    score: float | None
    state: str


class Argued(BaseModel):
    """`extensions` and `accepted` answer questions of abstract argumentation, `scores` are of a gradual semantics."""

    arguments: int
    semantics: str
    scores: list[Scored] = []
    converged: bool | None = None
    extensions: list[list[str]] = []
    more: bool = Field(default=False, description="Whether there are further extensions")
    accepted: bool | None = None
    notes: list[str] = []


async def solve_in_process(asked: Asked, seconds: float = LONGEST_SECONDS) -> Argued:
    """The answer; ConfigError if the question is wrong or took too long."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the current folder may be one of strangers
        "-m",
        "moot.argument.in_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        answer, _ = await asyncio.wait_for(process.communicate(asked.model_dump_json().encode()), seconds)
    except TimeoutError:
        raise moot.ConfigError(
            f"this took longer than {seconds:.0f} s and was stopped; ask about a smaller graph, or run: moot argue"
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    document = json.loads(answer or '{"error": "the solver ended without an answer"}')
    if "error" in document:
        raise moot.ConfigError(document["error"])
    return Argued.model_validate(document)


def solve(asked: Asked) -> Argued:
    with warnings.catch_warnings(record=True) as lost:
        warnings.simplefilter("always")
        graph = argument.read(asked.graph, asked.format or argument.guess(asked.graph))
    notes = [str(one.message) for one in lost]
    if asked.task == "score":
        return _score(graph, asked.semantics or "moot", notes)
    semantics = (asked.semantics or "PR").upper()
    if len(graph.supports):
        notes.append(f"{len(graph.supports)} supports are not looked at by extensions")
    if asked.task == "extensions":
        extensions = list(islice(argument.extensions(graph, semantics), MOST_EXTENSIONS + 1))
        return Argued(
            arguments=len(graph),
            semantics=semantics,
            extensions=[sorted(one, key=graph.number) for one in extensions[:MOST_EXTENSIONS]],
            more=len(extensions) > MOST_EXTENSIONS,
            notes=notes,
        )
    if asked.argument is None:
        raise moot.ConfigError(f"say which argument: {asked.task} asks about one")
    ask = argument.credulous if asked.task == "credulous" else argument.sceptical
    accepted = ask(graph, semantics, asked.argument).accepted
    return Argued(arguments=len(graph), semantics=semantics, accepted=accepted, notes=notes)


def _score(graph: argument.Graph, semantics: str, notes: list[str]) -> Argued:
    scores = argument.scores(graph, semantics)
    rows = [Scored(argument=name, score=scores[name], state=scores.state(name)) for name in graph.names]
    if not scores.converged:
        notes.append(f"{len(scores.unsettled)} arguments did not settle, and have no score")
    return Argued(arguments=len(graph), semantics=semantics, scores=rows, converged=scores.converged, notes=notes)


def main() -> None:
    try:
        answer = solve(Asked.model_validate_json(sys.stdin.buffer.read())).model_dump_json()
    except (moot.MootError, argument.ArgumentError) as error:
        answer = json.dumps({"error": str(error)})
    sys.stdout.write(answer)


if __name__ == "__main__":
    main()
