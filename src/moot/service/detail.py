"""One debate as programs are told of it, over HTTP and by assistants."""

from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, Field

from moot.engine.outcome.material import answers_about
from moot.engine.outcome.questions import Answer
from moot.engine.outcome.stored import readable_result
from moot.engine.staging.outside import reader_votes
from moot.engine.staging.runs import Run
from moot.present import Brief, Flag
from moot.record.entry import first_data
from moot.record.payloads import Header
from moot.service.host import Host
from moot.service.live import how_it_ended

Status = Literal["running", "done", "limit", "failed", "interrupted"]


class Detail(BaseModel):
    """A debate. `summary`, `brief` and `flags` are the outcome, its reasons and its caveats, once there is one;
    `result` is the whole document. `here` tells whether it is running and can be stopped here."""

    name: str
    protocol: str
    topic: str
    status: Status
    reason: str | None
    here: bool
    entries: int
    cast: list[dict[str, Any]]
    awaiting: list[dict[str, Any]] = Field(description="The open questions to people")
    reader_votes: dict[str, str]
    questions: list[Answer] = Field(description="What was asked about it afterwards")
    summary: dict[str, Any] | None = Field(description="`headline`: the answer in a line; `reached`: how; `change`")
    brief: Brief | None = Field(description="The answer, its reasons, the best objection and what would change it")
    flags: list[Flag] = Field(description="What to know before relying on it, such as that a tiny model decided")
    result: dict[str, Any] | None


def read_detail(host: Host, run: Run) -> Detail:
    """The current state of a debate, with its result if it has one. Blocks."""
    # Asked before the log is read, so that a debate which ends meanwhile is not told as ended without its last entries.
    live = host.live(run.name)
    ended = None if live or host.running(run) else how_it_ended(run)
    entries = run.readable()
    stored, result = (readable_result(run), run.result()) if ended else (None, None)
    header = first_data(entries, Header)
    cast = header.cast if header else []
    return Detail(
        name=run.name,
        protocol=run.config.protocol.name,
        topic=header.topic if header else run.config.topic,
        status=ended.status if ended else "running",
        reason=ended.reason if ended else None,
        here=ended is None and host.can_stop(run),
        entries=len(entries),
        cast=[member.model_dump(include={"id", "name", "role", "models"}) for member in cast],
        awaiting=[asdict(question) for question in live.questions.values()] if live else [],
        reader_votes=reader_votes(entries),
        questions=answers_about(run, entries),
        summary=stored.summary.model_dump(exclude={"brief", "flags"}) if stored else None,
        brief=stored.summary.brief if stored else None,
        flags=stored.flags if stored else [],
        # Where the runs are is nobody's business who only asks over HTTP.
        result=result and {**result, "run": run.name},
    )
