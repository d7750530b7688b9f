"""What a pipeline shows of a debate or of a repeated gate: a comment in Markdown, and a test report in JUnit XML.

Texts of models are escaped in both. No name in a comment notifies anybody, and nothing in it links or refers to
anything but the job.
"""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from moot.engine.define.config import RunConfig
from moot.engine.define.exporter import Exporter
from moot.engine.define.gate import NOT_MET, Gate, gate_of
from moot.engine.outcome.result import Result
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.pipelines.annotations import annotations, sarif
from moot.pipelines.repeated import Ruling
from moot.present import GRADES, Dissent, Finding, Flag, Point, Table
from moot.present.markdown import inline, line, table
from moot.text import clip, one_line, printable
from moot.text.figures import dollars
from moot.text.prose import plural

MOST_FLAGS = 8
MOST_FINDINGS = 20
MOST_DISSENT = 5
LONGEST_TOPIC = 200
LONGEST_QUOTE = 120
LONGEST_TEXT = 300
"""The characters that are shown of an answer, a claim, a fix, a warning or a dissent."""
LONGEST_WHY = 2000
LONGEST_COMMENT = 60_000
"""GitHub takes 65,536 characters. A revision that would make a comment longer than this is left to the report."""
_LINKED = re.compile(r"@|\\[#&](?=\d)|\\#|!(?=\d)|\bGH-(?=\d)|:(?=//)|\bwww(?=\.)", re.IGNORECASE)
JOB = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
"""The variables in which a job of GitHub Actions finds its own address."""


@dataclass(frozen=True, slots=True)
class Review:
    """One debate, or those of a repeated gate. `passed` is None if nothing was required; `held` has each debate with
    its gate, and None for one that was not held."""

    config: RunConfig
    headline: str
    why: str
    passed: bool | None
    unfinished: str | None
    held: Sequence[tuple[Result | None, Gate | None]]
    place: str

    @classmethod
    def of(cls, result: Result) -> "Review":
        gate = gate_of(result)
        unfinished = (result.reason or result.status) if result.status != "done" else None
        passed, why = (gate.passed, gate.why) if gate else (None, "")
        place = f"{result.run}/report.html"
        return cls(result.stored.config, result.summary.headline, why, passed, unfinished, [(result, gate)], place)

    @classmethod
    def of_ruling(cls, ruling: Ruling) -> "Review":
        held = list(zip(ruling.results, ruling.gates, strict=True))
        unfinished = ruling.words if ruling.open else None
        place = str(ruling.gate.folder)
        return cls(ruling.gate.config, ruling.words, ruling.words, ruling.passed, unfinished, held, place)

    @property
    def results(self) -> list[Result]:
        return [result for result, _ in self.held if result is not None]

    @property
    def findings(self) -> list[Finding]:
        """What stands, the worst first. What several debates say in the same words of the same place is one finding."""
        found: dict[tuple[str, str], Finding] = {}
        for one in (one for result in self.results for one in result.findings if one.stands):
            key = (" ".join(one.claim.casefold().split()), one.place)
            found[key] = _together(found[key], one) if key in found else one
        return sorted(found.values(), key=lambda one: -GRADES.index(one.severity))

    @property
    def dissent(self) -> list[Dissent]:
        found = [one for result in self.results for one in result.summary.brief.dissent]
        return list({(dissent.who, dissent.reason): dissent for dissent in found}.values())

    @property
    def cost(self) -> float | None:
        """The dollars of all debates; None if one does not know its own."""
        costs = [result.spent.cost for result in self.results]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None


def _together(finding: Finding, other: Finding) -> Finding:
    names = {
        key: [*dict.fromkeys(getattr(finding, key) + getattr(other, key))] for key in ("raised_by", "confirmed_by")
    }
    worst = max(finding.severity, other.severity, key=GRADES.index)
    return finding.model_copy(update=names | {"severity": worst, "change": finding.change or other.change})


def comment(review: Review) -> str:
    """A comment that a person can act on: the answer, what blocks it and what would mend that, who disagrees, the cost,
    and where the report is."""
    parts = [
        f"### {_verdict(review)}{_short(review.headline)}",
        # A word of ours begins the line: forges and their bots obey one that begins with a slash.
        f"moot {review.config.protocol.name}: {inline(_topic(review.config))}",
        _gate_line(review),
        _findings(review),
        _reasons(review),
        _flags([flag for result in review.results for flag in result.flags]),
        _dissent(review.dissent),
        _debates(review) if len(review.held) > 1 else "",
        _cost(review),
    ]
    text = "\n\n".join(str(part) for part in parts if part)
    quiet = _quiet(text)
    return f"{quiet}{_revision(review, LONGEST_COMMENT - len(quiet))}\n\n{_where(review)}\n"


def junit(review: Review) -> str:
    """A test report: one test, which fails if the gate does not pass, and is an error if it is not finished."""
    protocol, seconds = review.config.protocol.name, sum(result.seconds for result in review.results)
    broken = review.unfinished is not None
    failed = review.passed is False and not broken
    counts = {"tests": "1", "failures": str(int(failed)), "errors": str(int(broken)), "time": f"{seconds:.3f}"}
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": f"moot {protocol}", **counts})
    about = {"classname": f"moot.{protocol}", "name": _topic(review.config), "time": f"{seconds:.3f}"}
    case = SubElement(suite, "testcase", about)
    lines = [
        f"{finding.place}: {finding.graded}: {finding.claim} {finding.fix}".rstrip() for finding in review.findings
    ]
    if broken:
        SubElement(case, "error", {"type": "unfinished", "message": one_line(review.unfinished or "")})
    elif failed:
        failure = SubElement(case, "failure", {"type": "requirement_not_met", "message": one_line(review.why)})
        failure.text = printable("\n".join(lines))
    texts = [text for number, (result, gate) in enumerate(review.held, 1) for text in _lines_of(number, result, gate)]
    SubElement(case, "system-out").text = printable("\n".join(texts if failed else [*texts, *lines]))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def findings_json(review: Review) -> str:
    """The findings as JSON, with whether the gate passes; null if nothing was required."""
    document = {
        "headline": review.headline,
        "passed": review.passed,
        "findings": [finding.model_dump(mode="json") | {"blocks": finding.blocks} for finding in review.findings],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _lines_of(number: int, result: Result | None, gate: Gate | None) -> list[str]:
    if result is None:
        return [f"{number}: {gate.why if gate else ''}"]
    texts = [result.summary.headline, result.summary.reached, *(flag.text for flag in result.flags)]
    return [f"{number}: {text}" for text in texts if text]


def _topic(config: RunConfig) -> str:
    """The name of the file that was submitted, or else the beginning of the text."""
    source = config.protocol.subject.source
    return clip(one_line((source and getattr(config.debate, source, "")) or config.topic), LONGEST_TOPIC)


def _verdict(review: Review) -> str:
    if review.passed is None or len(review.held) > 1:  # the words of a repeated gate begin with it
        return ""
    return "Not finished: " if review.unfinished else "Passes: " if review.passed else "Does not pass: "


def _gate_line(review: Review) -> str:
    if review.passed is None:
        return ""
    if len(review.held) > 1:
        return f"Required: {inline(' or '.join(review.held[0][1].required if review.held[0][1] else ()))}."
    return inline(clip(review.why, LONGEST_WHY))


def _reasons(review: Review) -> str:
    """How firm the answer of a single debate is, its reasons with what they rest on, and the rest of its brief."""
    if len(review.held) != 1 or not review.results:
        return ""
    brief = review.results[0].summary.brief
    reasons = [f"{place}. {_short(one.text)}{_rests_on(one)}" for place, one in enumerate(brief.because, 1)]
    others = [f"- **{words}:** {_short(one.text)}" for words, one in brief.points if one not in brief.because]
    return "\n\n".join(filter(None, (_short(brief.firmness), "\n".join(reasons), "\n".join(others))))


def _rests_on(point: Point) -> str:
    """The entries in words, because a forge takes `#9` for an issue, and the places in documents."""
    named = [f"entry {seq}" for seq in point.entries] + [_short(str(place)) for place in point.places]
    return f" ({', '.join(named)})" if named else ""


def _findings(review: Review) -> str:
    """The findings that block, each with its place and the change that fixes it, and then the others. Nothing blocks a
    gate that passes."""
    blocking = [finding for finding in review.findings if finding.blocks and not review.passed]
    others = [finding for finding in review.findings if finding not in blocking]
    lists = [
        (f"**{plural(len(blocking), 'finding')} to fix first:**", blocking),
        ("Other findings:" if blocking else "Findings:", others),
    ]
    parts, room = [], MOST_FINDINGS
    for title, findings in lists:
        shown, left = findings[:room], len(findings[room:])
        room -= len(shown)
        more = [f"- {left} more in the report."] if left else []
        parts += ["\n".join([title, "", *map(_finding, shown), *more])] if findings else []
    return "\n\n".join(parts)


def _finding(finding: Finding) -> str:
    quote = next((where.quote for where in finding.where if where.quote), "")
    words = f"“{clip(one_line(quote), LONGEST_QUOTE)}”" if quote else ""
    names = finding.names[:1].upper() + finding.names[1:]
    below = [f"  - {_short(text)}" for text in (words, finding.fix, names) if text]
    return "\n".join([f"- **{_short(finding.place)}** {finding.graded}: {_short(finding.claim)}", *below])


def _short(text: str) -> str:
    return str(inline(clip(one_line(text), LONGEST_TEXT)))


def _flags(flags: Sequence[Flag]) -> str:
    others = {flag.text: flag for flag in flags if flag.code != NOT_MET}.values()  # the gate says that one
    lines = [f"- {_short(flag.text)}" for flag in others if flag.severity == "warning"]
    left = len(lines) - MOST_FLAGS
    more = [f"- {left} more in the report."] if left > 0 else []
    return "\n".join(["Warnings:", "", *lines[:MOST_FLAGS], *more]) if lines else ""


def _dissent(dissent: Sequence[Dissent]) -> str:
    lines = [f"- {line(dissenter.who)}: {_short(dissenter.reason)}" for dissenter in dissent]
    left = len(lines) - MOST_DISSENT
    more = [f"- {left} more in the report."] if left > 0 else []
    return "\n".join(["Dissent:", "", *lines[:MOST_DISSENT], *more]) if lines else ""


def _revision(review: Review, room: int) -> str:
    """What the debate made of the text, as a block of code that nothing in it can end. Its lines begin with the signs
    of a diff, so none is a command of a bot."""
    revisions = (gate.revision for _, gate in review.held if gate is not None)
    found = next((revision for revision in revisions if revision is not None and revision.diff), None)
    if found is None:
        return ""
    diff = printable(found.diff).strip("\n")
    if len(diff) > room:
        return "\n\nThe revision is in the report."
    fence = "`" * max([3, *(1 + len(marks) for marks in re.findall("`+", diff))])
    return f"\n\nThe revision, which is not what was submitted:\n\n{fence}diff\n{diff}\n{fence}"


def _debates(review: Review) -> str:
    rows = [
        [
            str(number),
            "yes" if gate and gate.passed else "no",
            clip(result.summary.headline, LONGEST_TEXT) if result else "–",
        ]
        for number, (result, gate) in enumerate(review.held, 1)
    ]
    return str(table(Table(["Debate", "Passes", "Came to"], rows, texts=3)))


def _cost(review: Review) -> str:
    calls = plural(sum(result.spent.calls for result in review.results), "call")
    return f"{calls}, {'cost unknown' if review.cost is None else dollars(review.cost)}."


def _where(review: Review) -> str:
    """The address of the job that made it, which keeps the report; otherwise the name of the file or folder."""
    server, repository, job = (os.environ.get(name, "") for name in JOB)
    if server.startswith("https://") and repository and job.isdecimal():
        return f"[The job that has the report]({server}/{repository}/actions/runs/{job}#artifacts)"
    return f"{'Reports' if len(review.held) > 1 else 'Report'}: {_quiet(inline(review.place))}"


def _quiet(text: str) -> str:
    """The text with a break in everything that a forge makes a link of, however it is escaped: names, which notify
    people, numbers of issues, which leave a note there, and addresses."""
    return _LINKED.sub("\\g<0>\N{ZERO WIDTH SPACE}", text)


DOCUMENTS: dict[str, Callable[[Review], str]] = {
    "comment": comment,
    "junit": junit,
    "sarif": lambda review: sarif(review.findings, review.unfinished),
    "annotations": lambda review: annotations(review.findings),
    "findings": findings_json,
}
"""What a pipeline is shown, by the name of the option and of the export form."""


async def _written(form: str, run: Run) -> str:
    return DOCUMENTS[form](Review.of(await result_of(run)))


EXPORTERS = (
    Exporter("comment", "a comment in Markdown for a pull request", "text/markdown", partial(_written, "comment")),
    Exporter("junit", "a test report for CI, in JUnit XML", "application/xml", partial(_written, "junit")),
    Exporter("sarif", "the findings as SARIF 2.1.0", "application/sarif+json", partial(_written, "sarif")),
    Exporter("annotations", "the findings for GitHub Actions", "text/plain", partial(_written, "annotations")),
    Exporter("findings", "the findings as JSON", "application/json", partial(_written, "findings")),
)
