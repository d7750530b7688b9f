"""Material: the files of one run, read once, for all views of it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from moot.engine.define.plain import common_line, guarded_lines, plain_line
from moot.engine.outcome.brief import brief_section
from moot.engine.outcome.questions import Answer, answers, question_records
from moot.engine.outcome.result import Files, Result, cast_names
from moot.engine.outcome.review import findings_section
from moot.engine.sources.cited import CitedDocuments
from moot.engine.staging.runs import Run
from moot.errors import RunDamaged
from moot.plugins.guard import Broken, guarded
from moot.present import Line, Paragraph, Section, checked
from moot.record.entry import Entry, first_data
from moot.record.journal import Record
from moot.record.payloads import Header
from moot.text.initials import initials, initials_of


@dataclass(frozen=True, slots=True)
class Material:
    """`names` are the agents' names by role. `entries`, and the text of a call after `shown`, are safe for readers.
    `questions` were asked about the debate when it had ended."""

    run: Run
    name: str
    topic: str
    origin: Mapping[str, Any] | None
    result: Result
    entries: list[Entry]
    records: list[Record]
    header: Header | None
    names: dict[str, str]
    shown: Callable[[str, str], str]
    questions: list[Answer]
    documents: CitedDocuments

    @property
    def colours(self) -> dict[str, str]:
        """The colour of each agent, by name."""
        return {member.name: member.colour for member in self.header.cast} if self.header else {}

    @property
    def marks(self) -> dict[str, str]:
        """The mark of each agent, by name: no two have the same."""
        return initials_of(self.colours)

    @property
    def models(self) -> dict[str, str]:
        """The models of each agent, by name."""
        return {member.name: ", ".join(member.models) for member in self.header.cast} if self.header else {}

    def sections(self) -> list[Section]:
        """The brief, the findings, the protocol's sections and the documents, empty before the header. If the
        protocol's code fails or a block cannot be drawn, a line says so, and the rest is shown."""
        if self.header is None:
            return []
        sections = self.run.config.protocol.sections
        drawn = guarded(lambda: [_drawable(section, number) for number, section in enumerate(sections(self), 1)])
        if isinstance(drawn, Broken):
            return [_failed(drawn.why, 1)]
        own = (*brief_section(self.result.summary.brief), *findings_section(self.result.findings))
        shown = [section for section in (*own, *drawn, *self.documents.section(self.entries)) if section.blocks]
        if self.header.is_rehearsal:  # what would give or explain a verdict
            return [section for section in shown if section.place != "card" and not section.brief]
        return shown


def _drawable(section: Any, number: int) -> Section:
    """The section, with a sentence in place of each block that cannot be drawn."""
    if not isinstance(section, Section):
        return _failed(f"it should be a Section, and is {section!r:.100}", number)
    try:
        return checked(section)
    except ValueError as error:
        return _failed(str(error), number)


def _failed(why: str, number: int) -> Section:
    paragraph = Paragraph(f"This part could not be made: {why}", "flag")
    return Section(f"failed-section-{number}", "What the protocol shows", [paragraph], brief=True)


@dataclass(frozen=True, slots=True)
class Spoken:
    """An entry with its line. `mark` is that of its speaker; `seat` is 1 or 2 for two opposing debaters, otherwise 0;
    `cut`: its reply stopped at the token limit; `links` are the anchors of the documents that its text cites, for each
    mark."""

    entry: Entry
    line: Line
    group: str
    colour: str
    mark: str
    seat: int
    cut: bool
    links: Sequence[Mapping[str, str]]


def gather(run: Run, result: Result, files: Files | None = None) -> Material:
    """What documents are made from. `files` are the entries and records if they have already been read."""
    logged, records = files or (run.entries(), run.records())
    protocol = run.config.protocol
    redactions = protocol.redactions
    entries = redactions.entries(logged)
    header, shown = first_data(entries, Header), redactions.messages(logged)
    return Material(
        run=run,
        name=run.place.name,
        topic=header.topic if header else run.config.topic,
        origin=run.config.origin,
        result=result,
        entries=entries,
        records=list(records),
        header=header,
        names=cast_names(entries),
        shown=shown,
        questions=answers_about(run, entries),
        documents=CitedDocuments(run.config.options.documents, lambda line: shown("", line)),
    )


def answers_about(run: Run, entries: Sequence[Entry]) -> list[Answer]:
    """The questions that were asked about a debate with these entries. A damaged file does not affect the debate, and
    `verify` reports it."""
    with suppress(RunDamaged):
        return list(answers(question_records(run), entries, run.config.options.documents).values())
    return []


def transcript(material: Material) -> list[Spoken]:
    """All entries with their lines."""
    members = material.header.cast if material.header else []
    cast, marks = {member.name: member for member in members}, material.marks
    debaters = [one.name for one in members if one.role == "debater"]
    seats = {name: seat for seat, name in enumerate(debaters, 1)} if len(debaters) == 2 else {}
    # If a call has several replies, the last one was used.
    last = {record.key: record for record in material.records if record.kind == "reply"}
    lines = guarded_lines(material.run.config.protocol.lines)
    spoken: list[Spoken] = []
    group = ""
    for entry in material.entries:
        own = lines(entry)
        line = common_line(entry) or own or plain_line(entry)
        member = None if entry.outside else cast.get(entry.speaker)
        # An outside entry names any phase; it does not start a new part of the debate.
        titled = (own.group if own else "") or line.group or entry.phase.capitalize()
        group = group if entry.outside and group else titled
        used = last.get(entry.call or "")
        spoken.append(
            Spoken(
                entry=entry,
                line=line,
                group=group,
                colour=member.colour if member else "neutral",
                mark=marks[entry.speaker] if member else initials(entry.speaker),
                seat=seats.get(entry.speaker, 0) if member else 0,
                cut=used is not None and used.finish_reason == "length",
                links=material.documents.links(entry.content if line.text is None else line.text),
            )
        )
    return spoken
