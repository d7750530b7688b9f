"""Findings for programs that show them beside the code: SARIF 2.1.0, and workflow commands of GitHub Actions."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from moot.engine.define.versions import own_version
from moot.present import Finding, Where
from moot.present.findings import GRADES, Grade
from moot.text import one_line

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Grade, tuple[str, str, str]] = {
    "minor": ("note", "notice", "A finding that can be left."),
    "moderate": ("warning", "warning", "A finding that should be fixed some time."),
    "serious": ("warning", "warning", "A finding that should be fixed soon."),
    "grave": ("error", "error", "A finding that must be fixed first."),
    "fatal": ("error", "error", "A finding that does harm that cannot be undone."),
}
"""The level of each grade in SARIF and as a command, and the rule in words."""


def sarif(findings: Sequence[Finding], unfinished: str | None = None) -> str:
    """The findings as SARIF. Services refuse results without a place in a file, so such findings are notifications."""
    placed = [(finding, places) for finding in findings if (places := _in_files(finding))]
    others = [finding for finding in findings if not _in_files(finding)]
    invocation: dict[str, Any] = {"executionSuccessful": unfinished is None}
    if others:
        invocation["toolExecutionNotifications"] = [
            {"level": LEVELS[one.severity][0], "message": {"text": _words(one)}, "properties": _properties(one)}
            for one in others
        ]
    rules = [{"id": f"moot/{grade}", "shortDescription": {"text": LEVELS[grade][2]}} for grade in GRADES]
    run = {
        "tool": {"driver": {"name": "moot", "version": own_version(), "rules": rules}},
        "invocations": [invocation],
        "results": [_result(one, places) for one, places in placed],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _result(finding: Finding, places: Sequence[Where]) -> dict[str, Any]:
    mark = hashlib.sha256(f"{places[0].file}\n{places[0].quote}\n{finding.claim}".encode()).hexdigest()
    return {
        "ruleId": f"moot/{finding.severity}",
        "level": LEVELS[finding.severity][0],
        "message": {"text": _words(finding)},
        "locations": [{"physicalLocation": _location(where)} for where in places],
        "partialFingerprints": {"moot/1": mark},
        "properties": _properties(finding),
    }


def _location(where: Where) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(where.file)}}
    if where.line is not None:
        location["region"] = {"startLine": where.line, "endLine": where.end_line or where.line}
        if where.quote and not where.removed:  # a snippet is what the region has now
            location["region"]["snippet"] = {"text": where.quote}
    return location


def _properties(finding: Finding) -> dict[str, Any]:
    return finding.model_dump(mode="json", include={"id", "change", "raised_by", "confirmed_by", "state"})


def _in_files(finding: Finding) -> list[Where]:
    """Its places in files of a repository: none is outside of it."""
    parts = ((where, where.file.replace("\\", "/").split("/")) for where in finding.where if where.file)
    return [where for where, path in parts if path[0] and ".." not in path]


def _words(finding: Finding) -> str:
    return one_line(f"{finding.claim} {finding.fix}")


def annotations(findings: Sequence[Finding]) -> str:
    """The findings as workflow commands, a line each, which GitHub shows at their places."""
    lines: list[str] = []
    for finding in findings:
        places: list[Where | None] = [*_in_files(finding)]
        lines += [_command(finding, where) for where in places or [None]]
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding, where: Where | None) -> str:
    known: dict[str, str] = {"title": f"moot: {finding.severity}"}
    if where is not None:
        known["file"] = where.file
        if where.line is not None:
            known |= {"line": str(where.line), "endLine": str(where.end_line or where.line)}
    fields = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in known.items())
    return f"::{LEVELS[finding.severity][1]} {fields}::{_escaped(_words(finding))}"


def _escaped(text: str, more: str = "") -> str:
    """Text that cannot end a command or a field of it, as GitHub's own toolkit writes it."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else sign for sign in one_line(text))
