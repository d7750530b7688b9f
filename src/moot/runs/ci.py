"""What a pipeline shows of a debate: a comment in Markdown, and a test report in the XML of JUnit.

Texts of models are escaped in both. No name in a comment notifies anybody, and nothing in it links or refers to
anything but the job.
"""

import os
import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from moot.engine.config import RunConfig
from moot.engine.gate import NOT_MET, Gate, gate_of
from moot.engine.material import gather
from moot.engine.result import Result
from moot.present import Block, Flag, Standings, Table
from moot.present.markdown import inline, line, table
from moot.report.markdown import standings_table
from moot.runs.gates import Ruling
from moot.text import clip, one_line, printable

MOST_FLAGS = 8
MOST_VOTES = 12
LONGEST_TOPIC = 200
_LINKED = re.compile(r"@|\\[#&](?=\d)|\\#|!(?=\d)|\bGH-(?=\d)|:(?=//)|\bwww(?=\.)", re.IGNORECASE)
JOB = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
"""The variables in which a job of GitHub Actions finds its own address."""


def comment(result: Result) -> str:
    """A short comment on one debate: headline, gate, flags, votes, and where the report is."""
    parts = [
        f"### {inline(result.summary.headline)}",
        _about(result.stored.config),
        _gate_line(gate_of(result)),
        _flags(result.flags),
        _votes(result),
    ]
    return _comment(parts, f"{result.run}/report.html")


def ruling_comment(ruling: Ruling) -> str:
    """The same for a repeated gate, with a line for each debate."""
    rows = []
    for number, (result, gate) in enumerate(zip(ruling.results, ruling.gates, strict=True), 1):
        headline = result.summary.headline if result else "–"
        warnings = [flag.code for flag in result.flags if flag.severity == "warning"] if result else []
        rows.append([str(number), "yes" if gate.passed else "no", headline, ", ".join(warnings[:MOST_FLAGS])])
    parts = [
        f"### {inline(ruling.words)}",
        _about(ruling.gate.config),
        f"Required: {inline(' or '.join(ruling.gates[0].required))}.",
        str(table(Table(["Debate", "Passes", "Came to", "Warnings"], rows, texts=4))),
    ]
    return _comment(parts, str(ruling.gate.folder))


def junit(result: Result) -> str:
    """One debate as a test: it fails if it does not pass its gate, and is an error if it did not finish."""
    told = [result.summary.headline, result.summary.reached, *(flag.text for flag in result.flags)]
    gate = gate_of(result)
    unfinished = (result.reason or result.status) if result.status != "done" else None
    failure = gate.why if gate is not None and not gate.passed else None
    return _report(result.stored.config, result.seconds, told, failure, unfinished)


def ruling_junit(ruling: Ruling) -> str:
    """A repeated gate as one test, with what became of each debate in its output."""
    told = [
        f"{number} of {ruling.gate.repeat}: {result.summary.headline if result else '–'}. {gate.why}"
        for number, (result, gate) in enumerate(zip(ruling.results, ruling.gates, strict=True), 1)
    ]
    held = [one for one in ruling.results if one is not None]
    unfinished = ruling.words if ruling.open else None
    failure = None if ruling.passed else ruling.words
    return _report(ruling.gate.config, sum(one.seconds for one in held), told, failure, unfinished)


def _report(config: RunConfig, seconds: float, told: Sequence[str], failure: str | None, unfinished: str | None) -> str:
    protocol = config.protocol.name
    failed, broken = failure is not None and unfinished is None, unfinished is not None
    counts = {"tests": "1", "failures": str(int(failed)), "errors": str(int(broken)), "time": f"{seconds:.3f}"}
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": f"moot {protocol}", **counts})
    case = SubElement(
        suite, "testcase", {"classname": f"moot.{protocol}", "name": _topic(config), "time": f"{seconds:.3f}"}
    )
    if unfinished is not None:
        SubElement(case, "error", {"type": "unfinished", "message": one_line(unfinished)})
    elif failure is not None:
        SubElement(case, "failure", {"type": "requirement_not_met", "message": one_line(failure)})
    SubElement(case, "system-out").text = printable("\n".join(filter(None, told)))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _about(config: RunConfig) -> str:
    """What was debated, and how. A word of ours begins the line: forges and their bots obey one that begins with a
    slash."""
    return f"moot {config.protocol.name}: {inline(_topic(config))}"


def _topic(config: RunConfig) -> str:
    return clip(one_line(config.topic), LONGEST_TOPIC)


def _gate_line(gate: Gate | None) -> str:
    if gate is None:
        return ""
    return f"**{'Passes' if gate.passed else 'Does not pass'}.** {inline(gate.why)}"


def _flags(flags: Sequence[Flag]) -> str:
    others = [flag for flag in flags if flag.code != NOT_MET]  # which the gate says
    shown = [flag for flag in others if flag.severity == "warning"][:MOST_FLAGS]
    left = len(others) - len(shown)
    lines = [f"- {line(flag.text)}" for flag in shown]
    return "\n".join([*lines, *([f"- {left} more in the report."] if left else [])])


def _votes(result: Result) -> str:
    """The first table or standings of what the terminal shows in short: who voted how, or who has which score."""
    blocks = [block for section in gather(result.stored, result).sections() for block in section.blocks]
    found = next((one for one in map(_as_table, blocks) if one is not None and one.rows), None)
    if found is None:
        return ""
    rows = [*found.rows[:MOST_VOTES]]
    return str(table(Table(found.columns, rows, texts=found.texts)))


def _as_table(block: Block) -> Table | None:
    if isinstance(block, Standings):
        return standings_table(block)
    return block if isinstance(block, Table) else None


def _where(path: str) -> str:
    """The address of the job that made it, which keeps the report; otherwise the name of the file."""
    server, repository, job = (os.environ.get(name, "") for name in JOB)
    if server.startswith("https://") and repository and job.isdecimal():
        return f"[The job that has the report]({server}/{repository}/actions/runs/{job})"
    return f"Report: {_quiet(inline(path))}"


def _comment(parts: Sequence[str], path: str) -> str:
    """A comment of these parts, which ends with where the report is."""
    text = "\n\n".join(str(part) for part in parts if part)
    return f"{_quiet(text)}\n\n{_where(path)}\n"


def _quiet(text: str) -> str:
    """The text with a break in everything that a forge makes a link of, however it is escaped: names, which notify
    people, numbers of issues, which leave a note there, and addresses."""
    return _LINKED.sub("\\g<0>\N{ZERO WIDTH SPACE}", text)
