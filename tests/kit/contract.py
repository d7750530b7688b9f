"""What every protocol must do in every face: give the same answer with the same reasons, and show the same flags.

`faults_of` puts a protocol through all of them and says what is missing. A model that answers anything speaks in it, so
it works for protocols that nobody here has ever seen.
"""

import asyncio
import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
from mcp import Client
from rich.console import Console

import moot
from moot.cli.summary import print_summary
from moot.deliver.delivery import deliver
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import get_protocol
from moot.engine.play.structured import instance_of
from moot.mcp.server import make_server
from moot.models.base import Request
from moot.record.entry import header_of
from moot.record.payloads import Header
from moot.report.receipts import FILE as RECEIPT
from moot.studies.batch.items import Item, read_batch
from moot.studies.batch.rows import row_of
from moot.testing import ScriptedModel
from tests.kit import command
from tests.kit.assistants import call
from tests.kit.servers import Site, serving
from tests.kit.waiting import PATIENCE

TOPIC = "Should the old bridge be kept?"
MODEL = "scripted/anything"


def answers_anything() -> ScriptedModel:
    """A model that gives whatever is asked for: the smallest object of the shape, or a sentence."""

    def reply(request: Request) -> Any:
        return instance_of(request.schema) if request.schema else "The bridge should be kept, since it still stands."

    return ScriptedModel(reply, name=MODEL)


@dataclass(frozen=True)
class Held:
    """A debate that is over, on a server that knows it."""

    result: moot.Result
    run: moot.Run
    site: Site
    folder: Path


Face = Callable[[Held], str]
"""All that a face shows of a debate, as plain text."""


def terminal(held: Held) -> str:
    console = Console(file=StringIO(), width=200, color_system=None)
    print_summary(held.result, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def shown(held: Held) -> str:
    """What `moot show` opens with."""
    return command.moot("show", str(held.run.path)).out.partition("  moot · header")[0]


def listed(held: Held) -> str:
    """`moot list` in a pipe, with the flags' texts in place of their codes."""
    rows = [line.split("\t") for line in command.moot("list", "--out", str(held.run.path.parent)).out.splitlines()]
    [(_, _, _, headline, flags, *_)] = [row for row in rows if row[0] == held.run.name]
    texts = {flag.code: flag.text for flag in held.result.flags}
    return " ".join([headline, *(texts[code] for code in flags.split(",") if code)])


def document(held: Held) -> str:
    told = json.loads((held.run.path / "result.json").read_bytes())
    return " ".join([told["summary"]["headline"], *_texts(told["brief"]), *_texts(told["flags"])])


def markdown_report(held: Held) -> str:
    return re.sub(r"\\(.)", r"\1", (held.run.path / "report.md").read_text("utf-8"))


def html_report(held: Held) -> str:
    return _visible((held.run.path / "report.html").read_text("utf-8"))


def page(held: Held) -> str:
    return _visible(_got(held, f"/runs/{held.run.name}/read").text)


def api(held: Held) -> str:
    told = _got(held, f"/api/runs/{held.run.name}").json()
    return " ".join([told["summary"]["headline"], *_texts(told["brief"]), *_texts(told["flags"])])


def assistant(held: Held) -> str:
    async def ask() -> dict[str, Any]:
        async with Client(make_server(held.site.host)) as client:
            return await call(client, "read_debate", run=held.run.name)

    told = asyncio.run(asyncio.wait_for(ask(), PATIENCE))
    return " ".join([told["summary"]["headline"], *_texts(told["brief"]), *_texts(told["flags"])])


def chat(held: Held) -> str:
    """Asked through the endpoint for OpenAI's clients, the same debate is held anew and says the same."""
    asked = {"model": f"moot/{held.result.protocol}", "messages": [{"role": "user", "content": TOPIC}]}
    with held.site.client() as client:
        answer = client.post("/v1/chat/completions", json=asked)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["choices"][0]["message"]["content"])


def batch_row(held: Held) -> str:
    row = row_of(_item(held), held.result, held.run.entries())
    texts = {flag.code: flag.text for flag in held.result.flags}
    return " ".join([row.headline or "", *(texts[code] for code in row.flags)])


def receipt(held: Held) -> str:
    told = json.loads((held.run.path / RECEIPT).read_bytes())
    return " ".join([told["headline"], *_texts(told["brief"]), *_texts(told["flags"])])


def delivery(held: Held) -> str:
    target = held.folder / f"{held.run.name}.md"
    asyncio.run(deliver(held.run, held.result, [str(target)]))
    return target.read_text("utf-8")


FACES: dict[str, Face] = {
    "the terminal": terminal,
    "moot show": shown,
    "moot list": listed,
    "result.json": document,
    "report.md": markdown_report,
    "report.html": html_report,
    "the page": page,
    "the API": api,
    "an assistant": assistant,
    "the chat endpoint": chat,
    "a row of a batch": batch_row,
    "the receipt": receipt,
    "a delivery": delivery,
}


IN_A_LINE = ("moot list", "a row of a batch")
"""Faces that have one line for a debate, and no room for reasons."""


@contextmanager
def held(protocol: Protocol, folder: Path) -> Iterator[Held]:
    """Hold a debate of that protocol from the least that it takes, with a server over the folder that it is in."""
    model = answers_anything()
    runs = folder / "runs"
    config = moot.configure(protocol.name, **{protocol.subject.key: TOPIC}, model=MODEL, seed=1, out=str(runs))
    result = asyncio.run(moot.run(config, models={MODEL: model}))
    environment = {"MOOT_MODEL": MODEL, "MOOT_SEED": "1"}
    with serving(runs, models={MODEL: model}, environment=environment) as site:
        yield Held(result, result.stored, site, folder)


def faults_of(protocol: Protocol, folder: Path) -> list[str]:
    """What is missing of a protocol, face by face; empty where nothing is."""
    found = _missing_parts(protocol)
    with held(protocol, folder) as one:
        if one.result.status != "done":
            return [*found, f"its script did not come to an end: {one.result.reason}"]
        found += [f"its {flag.text}" for flag in one.result.flags if flag.code == "summary_failed"]
        for name, show in FACES.items():
            try:
                shown = _words(show(one))
            except Exception as error:
                found.append(f"{name} fails: {type(error).__name__}: {error}")
                continue
            wanted = [one.result.summary.headline, *(flag.text for flag in one.result.flags)]
            wanted += [] if name in IN_A_LINE else [text for _, text in one.result.summary.brief.lines]
            found += [f"{name} does not show {text!r}" for text in wanted if _words(text) not in shown]
        found += faults_of_brief(one.result)
    return found


def faults_of_brief(result: moot.Result) -> list[str]:
    """What is wrong with the answer of a debate and its reasons."""
    entries = {entry.seq: entry for entry in result.stored.entries()}
    summary, brief = result.summary, result.summary.brief
    names = [member.name for member in header_of(list(entries.values()), Header).cast]
    found = [f"its headline leads with {name}" for name in names if re.match(rf"{re.escape(name)}\b", summary.headline)]
    if summary.decided and not brief.answer:
        found.append("it has a decision and no answer")
    for words, point in brief.points:
        missing = [seq for seq in point.entries if seq not in entries]
        found += [f"{words!r} rests on entry {seq}, which does not exist" for seq in missing]
        said = _words(" ".join(entries[seq].content for seq in point.entries if seq in entries))
        quoted = re.findall("“([^”]+)”", point.text) if point.entries else []
        found += [
            f"{words!r} quotes {quote!r}, which nobody said there" for quote in quoted if _words(quote) not in said
        ]
    return found


def _missing_parts(protocol: Protocol) -> list[str]:
    found = [f"it has no `{name}`" for name in ("name", "about") if not getattr(protocol, name)]
    if protocol.subject.key not in protocol.config.model_fields:
        found.append(f"its config has no field `{protocol.subject.key}`, which is what its subject names")
    if get_protocol(protocol.name) is not protocol:
        found.append("it is not registered")
    return found


def _item(held: Held) -> Item:
    """The debate as one of a batch."""
    file = held.folder / "one.jsonl"
    subject = get_protocol(held.result.protocol).subject.key
    file.write_text(json.dumps({"protocol": held.result.protocol, subject: TOPIC, "model": MODEL}), "utf-8")
    return read_batch(file).items[0]


def _got(held: Held, path: str) -> httpx.Response:
    with held.site.client() as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer


def _texts(data: Any) -> Iterator[str]:
    """All texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _texts(part)


def _visible(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)))


def _words(text: str) -> str:
    """The text with white space and the marks of Markdown made one, since faces break lines where they like."""
    return " ".join(re.sub(r"[*_`\\]", "", text).split())
