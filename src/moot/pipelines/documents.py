"""What a pipeline shows of a debate or of a repeated gate: a comment in Markdown, and a test report in JUnit XML.

Texts of models are escaped in both. No name in a comment notifies anybody, and nothing in it links or refers to
anything but the job.
"""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jinja2 import PackageLoader, Template
from markupsafe import Markup

from moot.engine.define.config import RunConfig
from moot.engine.define.exporter import Exporter
from moot.engine.define.gate import NOT_MET, Gate, gate_of
from moot.engine.outcome.result import Result
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.pipelines.annotations import annotations, sarif
from moot.pipelines.repeated import Ruling
from moot.present import GRADES, Dissent, Finding
from moot.present.markdown import inline
from moot.report.page import environment_of
from moot.text import clip, one_line, printable
from moot.text.prose import plural

LONGEST_TOPIC = 200
LONGEST_TEXT = 300
"""The characters that are shown of an answer, a claim, a fix, a warning or a dissent."""
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
    """A comment that a person can act on, by the words of `comment.md.jinja`, and where the report is."""
    text = _template().render(review=review, topic=_topic(review.config), not_met=NOT_MET)
    quiet = _quiet(re.sub(r"\n{3,}", "\n\n", text).strip())
    return f"{quiet}{_revision(review, LONGEST_COMMENT - len(quiet))}\n\n{_where(review)}\n"


@cache
def _template() -> Template:
    environment = environment_of(PackageLoader("moot", "pipelines"), html=False)
    environment.filters |= {"short": _short, "clip": clip, "plural": plural}
    return environment.get_template("comment.md.jinja")


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


def _short(text: object, most: int = LONGEST_TEXT) -> Markup:
    return inline(clip(one_line(text), most))


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


DOCUMENTS: dict[str, tuple[str, str, Callable[[Review], str]]] = {
    "comment": ("a comment in Markdown for a pull request", "text/markdown", comment),
    "junit": ("a test report for CI, in JUnit XML", "application/xml", junit),
    "sarif": (
        "the findings as SARIF 2.1.0",
        "application/sarif+json",
        lambda review: sarif(review.findings, review.unfinished),
    ),
    "annotations": ("the findings for GitHub Actions", "text/plain", lambda review: annotations(review.findings)),
    "findings": ("the findings as JSON", "application/json", findings_json),
}
"""What a pipeline is shown, by the name of the option and of the export form."""


async def _written(form: str, run: Run) -> str:
    return DOCUMENTS[form][2](Review.of(await result_of(run)))


EXPORTERS = tuple(Exporter(form, what, kind, partial(_written, form)) for form, (what, kind, _) in DOCUMENTS.items())
