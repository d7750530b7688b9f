"""The outcome of a debate as a brief and as a decision record (MADR 4.0), and folders of numbered records."""

import asyncio
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from moot.engine.define.capabilities import Choices, Versions
from moot.engine.define.exporter import Exporter
from moot.engine.define.plugin_option import plugin_option
from moot.engine.outcome.brief import brief_section
from moot.engine.outcome.material import Material, gather
from moot.engine.outcome.review import findings_section
from moot.engine.sources.context import LISTED
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.present import Block, Brief, Facts, Heading, Item, Items, Paragraph, Point, Quote, Verbatim
from moot.present.markdown import inline
from moot.record.files import locked, make_folder, read_file, write_whole
from moot.record.payloads import Given
from moot.report.markdown import markdown
from moot.text import clip, one_line, valid_text
from moot.text.names import slug
from moot.text.prose import plural
from moot.text.yaml import MAX_FILE_BYTES, dump_key, parse_yaml

LONGEST_TITLE = 120
INDEX = "README.md"
BEGIN, END = "<!-- moot: decisions -->", "<!-- moot: end of decisions -->"
"""The lines around the index; other text of the file is left alone."""
HASH = "log-sha256"
BRIEF_KEYS = ("run", "protocol", "topic", "status", "summary", "brief", "flags", "receipt")
_FILE = re.compile(r"(\d{4,})-.+\.md")
_PARTS = re.compile(r"---\n(?P<front>.*?\n)?---\n(?P<body>.*)", re.DOTALL)
_TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)
_MARK = re.compile(rf"^({BEGIN}|{END})\r?$", re.MULTILINE)
_INDEXED = re.compile(rf"^{BEGIN}\r?\n.*?^{END}", re.MULTILINE | re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


async def brief_markdown(run: Run) -> str:
    """The answer and what a reader needs to act on it, on one page."""
    material = gather(run, await result_of(run))
    summary = material.result.summary
    blocks: list[Block] = [Paragraph(summary.headline, "flag")]
    blocks += [block for section in brief_section(summary.brief) for block in section.blocks]
    blocks += [Paragraph(summary.reached)] if summary.reached else []
    blocks += _flags(material)
    return "\n\n".join([f"# {_title(material)}", markdown(blocks), "## The record", _source(material, None)])


async def brief_json(run: Run) -> str:
    """The parts of `result.json` that answer the question, and the question."""
    result = await result_of(run)
    document = {"topic": run.config.topic, **result.document()}
    return json.dumps({key: document[key] for key in BRIEF_KEYS}, ensure_ascii=False, indent=2) + "\n"


async def decision_record(run: Run) -> str:
    """A decision record in the form of MADR 4.0. Optional sections about which nothing is on record are left out."""
    return _record(gather(run, await result_of(run)), None)


@dataclass(frozen=True, slots=True)
class Decision:
    """A record in a folder: the fields of its front matter that are texts, and its title as it reads."""

    path: Path
    number: int
    fields: Mapping[str, str]
    title: str


async def keep_decisions(folder: Path, runs: Sequence[Run]) -> dict[Path, bool]:
    """Write a numbered record of each run that has none in the folder yet, and the index anew. Returns the records of
    these runs, and whether they were written now. A record that is there is never changed."""
    materials = [gather(run, await result_of(run)) for run in runs]
    if unfinished := next((one for one in materials if one.result.status != "done"), None):
        raise ConfigError(f"{unfinished.name} has no outcome yet; `moot resume` continues it")
    return await asyncio.to_thread(_keep, folder, materials)


def _keep(folder: Path, materials: Sequence[Material]) -> dict[Path, bool]:
    if not materials and not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder; name a run to begin one")
    make_folder(folder, "the folder of decisions")
    kept: dict[Path, bool] = {}
    with locked(folder):
        there = _decisions(folder)
        for material in materials:
            # Another program may have appended to the log since: then an earlier line of it has the hash.
            hashes = {material.result.receipt.log_sha256, *(entry.prev for entry in material.entries)}
            known = next((one for one in there if one.fields.get(HASH) in hashes), None)
            if known is None:
                number = max((one.number for one in there), default=0) + 1
                path = folder / f"{number:04}-{slug(material.topic)}.md"
                write_whole(path, _record(material, folder).encode())
                known = _read(path, number)
                there.append(known)
                kept[path] = True
            kept.setdefault(known.path, False)
        _write_index(folder, there)
    return kept


def _record(material: Material, folder: Path | None) -> str:
    brief, (options, cases) = material.result.summary.brief, _options(material)
    findings = [block for section in findings_section(material.result.findings) for block in section.blocks]
    sections: list[tuple[str, Sequence[Block]]] = [
        ("## Context and Problem Statement", _context(material)),
        ("## Decision Drivers", _items(brief, brief.agreed)),
        ("## Considered Options", [Items(options, otherwise="Not recorded.")]),
        ("## Decision Outcome", _outcome(material)),
        ("### Consequences", _consequences(brief)),
        ("### Confirmation", _items(brief, brief.next, brief.would_change_it)),
        ("## Pros and Cons of the Options", cases),
        ("## More Information", [*findings, *_flags(material)]),
    ]
    parts = [f"{title}\n\n{markdown(blocks)}" for title, blocks in sections if blocks or title.endswith("Information")]
    front = "".join(dump_key(key, json.dumps(value).encode()) for key, value in _front(material, folder).items())
    body = "\n\n".join([f"# {_title(material)}", *map(str.rstrip, parts), _source(material, folder)])
    return f"---\n{front}---\n\n{body}"


def _front(material: Material, folder: Path | None) -> dict[str, Any]:
    """The front matter. People accept a decision, so that it is proposed until they change it."""
    cast = material.header.cast if material.header else []
    fields = {
        "status": "proposed",
        "date": next((one.timestamp[:10] for one in reversed(material.entries) if not one.outside), ""),
        "decision-makers": [one_line(f"{one.name}, {one.role} ({', '.join(one.models)})") for one in cast],
        "answer": one_line(material.result.summary.brief.answer or ""),
        "run": _way(material, folder) or material.name,
        HASH: material.result.receipt.log_sha256,
    }
    return {key: value for key, value in fields.items() if value}


def _context(material: Material) -> list[Block]:
    details = (
        [(key, value) for key, value in material.header.details.items() if key != LISTED] if material.header else []
    )
    given = [(entry, entry.data) for entry in material.entries if isinstance(entry.data, Given)]
    documents = [
        Item(data.title, lead=f"{data.document}:", note=data.source, entries=[entry.seq]) for entry, data in given
    ]
    blocks: list[Block] = [Quote(material.topic, aloud=False)]
    blocks += [Facts(details)] if details else []
    return blocks + ([Paragraph("Documents that all agents were given:"), Items(documents)] if documents else [])


def _options(material: Material) -> tuple[list[Item], list[Block]]:
    """The choices of the protocol (two sides, proposals, or labels to vote for), and where the case for each is. A side
    without a claim is named by how its first statement begins. Empty if it has no such choices."""
    protocol, header, outcome = material.run.config.protocol, material.header, material.result.outcome
    choices, revised = protocol.get(Choices), protocol.get(Versions)
    if choices is None or header is None:
        return [], []
    versions = revised.of(outcome) if revised and outcome is not None else {}
    chosen = choices.chosen(outcome) if outcome is not None else None
    argued = getattr(header, "options", None)
    words = {one.name: f"{one.side.capitalize()} the claim" for one in header.cast if one.side}
    words |= argued if isinstance(argued, Mapping) else {}
    public = [entry for entry in material.entries if entry.to == "all" and not entry.outside]
    items: list[Item] = []
    blocks: list[Block] = []
    for name in choices.offered(material.entries):
        proposed = versions.get(name, [])[-1:]
        text = "".join(one.text for one in proposed)
        said = [entry for entry in public if entry.speaker == name]
        case = [one.seq for one in proposed if one.seq is not None] or [entry.seq for entry in said]
        argued_first = text or next((entry.content for entry in said), "")
        means = words.get(name) or clip(one_line(argued_first.partition("\n\n")[0]), LONGEST_TITLE)
        title = f"{means} ({name})" if means else name
        items.append(Item(title, note="chosen" if name == chosen else ""))
        if case:
            told = Paragraph(f"The case for it: {', '.join(f'entry {seq}' for seq in case)}.")
            blocks += [Heading(title), *([Quote(text)] if text else []), told]
    return items, blocks


def _outcome(material: Material) -> list[Block]:
    summary = material.result.summary
    brief = summary.brief
    answer = one_line(brief.answer or "").removesuffix(".")
    source = "" if brief.source is None else f" (entry {brief.source})"
    decided = answer and summary.decided
    chosen = f"Chosen option: “{answer}”{source}" if decided else f"No option was chosen: {summary.headline}"
    because = [_item(brief, "", point) for point in brief.because]
    told = [Paragraph(text) for text in (brief.firmness, summary.reached) if text]
    return [
        Paragraph(f"{chosen}, because:" if because else f"{chosen}."),
        *([Items(because)] if because else []),
        *told,
    ]


def _consequences(brief: Brief) -> list[Block]:
    """What speaks against the answer; its reasons justify it above."""
    items = [_item(brief, "Bad, because: ", brief.objection)] if brief.objection else []
    items += [Item(f"Bad, because {one.who} dissents: {one.reason}") for one in brief.dissent]
    return [Items(items)] if items else []


def _items(brief: Brief, *points: Point | None) -> list[Block]:
    """These parts of the brief, with the words that introduce them."""
    items = [_item(brief, f"{words}: ", point) for words, point in brief.points if any(point is one for one in points)]
    return [Items(items)] if items else []


def _item(brief: Brief, words: str, point: Point) -> Item:
    own = [] if brief.source is None else [brief.source]
    return Item(words + point.text, entries=point.entries or own, note=", ".join(map(str, point.places)))


def _flags(material: Material) -> list[Block]:
    leads = {"warning": "Flag:", "note": "Note:"}
    items = [Item(flag.text, lead=leads[flag.severity]) for flag in material.result.flags]
    return [Items(items)] if items else []


def _title(material: Material) -> str:
    return str(inline(clip(one_line(material.topic), LONGEST_TITLE)))


def _way(material: Material, folder: Path | None) -> str:
    """The relative path from a folder of decisions to the run; empty if there is none that can be written down."""
    if folder is None or material.run.folder is None:
        return ""
    try:
        way = Path(os.path.relpath(material.run.folder.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return ""
    return way if valid_text(one_line(way)) == way else ""


def _source(material: Material, folder: Path | None) -> str:
    """The run, the hash of its log, and the command that checks it."""
    way, receipt = _way(material, folder), material.result.receipt
    run = f"[{inline(material.name)}]({quote(way)}/report.md)" if way else inline(material.name)
    about = f"{inline(material.result.protocol)}, {plural(receipt.entries, 'entry', 'entries')}"
    command = shlex.join(["moot", *plugin_option(material.result.protocol, public=True), "verify", material.name])
    check = markdown([Paragraph("To check that no line of it was altered:"), Verbatim(command)])
    return f"Run: {run} ({about}). SHA-256 of its log: `{receipt.log_sha256}`.\n\n{check}\n"


def _decisions(folder: Path) -> list[Decision]:
    """The records of a folder, by number, whoever wrote them."""
    found = [(int(match[1]), path) for path in folder.iterdir() if (match := _FILE.fullmatch(path.name))]
    return [_read(path, number) for number, path in sorted(found)]


def _read(path: Path, number: int) -> Decision:
    text = (read_file(path, MAX_FILE_BYTES) or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
    parts = _PARTS.fullmatch(text)
    try:
        front = parse_yaml((parts["front"] or "").encode() if parts else b"", path.name, may_be_empty=True)
    except ConfigError:  # a person edits it, and the index still lists it
        front = {}
    title = _TITLE.search(parts["body"] if parts else text)
    fields = {key: value for key, value in front.items() if isinstance(value, str)}
    return Decision(path, number, fields, _ESCAPED.sub(r"\1", title[1]) if title else path.stem)


def _write_index(folder: Path, decisions: Sequence[Decision]) -> None:
    path = folder / INDEX
    text = (read_file(path) or b"# Decisions\n").decode("utf-8", "surrogateescape")
    marks = _MARK.findall(text)
    if marks not in ([], [BEGIN, END]):
        raise ConfigError(f"{path} has lost a mark of its index, which is between the lines {BEGIN} and {END}")
    rows = ["| Number | Title | Status | Date | Answer | Run |", "| --- | --- | --- | --- | --- | --- |"]
    for one in decisions:
        cells = [inline(one.title), *(inline(one.fields.get(key, "")) for key in ("status", "date", "answer"))]
        way = one.fields.get("run", "")
        run = f"[report]({quote(way)}/report.md)" if "/" in way else inline(way)
        rows.append(f"| [{one.number:04}]({quote(os.fsencode(one.path.name))}) | {' | '.join(cells)} | {run} |")
    index = "\n".join([BEGIN, "", *rows, "", END])
    whole = _INDEXED.sub(lambda _: index, text) if marks else f"{text.rstrip()}\n\n{index}\n"
    if whole != text:
        write_whole(path, whole.encode("utf-8", "surrogateescape"))


EXPORTERS = (
    Exporter("brief", "the answer and its reasons, in Markdown", "text/markdown", brief_markdown),
    Exporter("brief-json", "the answer and its reasons, as JSON", "application/json", brief_json),
    Exporter("adr", "a decision record in the form of MADR 4.0", "text/markdown", decision_record),
)
