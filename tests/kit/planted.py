"""Small changes to code, each with one defect and where it is: what a reviewer should find, and what a panel says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.testing import Scripted
from tests.kit.panels import REVIEWERS, opinion, ruling


@dataclass(frozen=True, slots=True)
class Planted:
    file: str
    line: int
    quote: str
    claim: str
    diff: str


def _diff(file: str, start: int, *lines: str) -> str:
    old, new = (sum(line[0] in signs for line in lines) for signs in (" -", " +"))
    head = f"diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -{start},{old} +{start},{new} @@\n"
    return head + "".join(f"{line}\n" for line in lines)


def _planted(file: str, start: int, line: int, quote: str, claim: str, *lines: str) -> Planted:
    return Planted(file, line, quote, claim, _diff(file, start, *lines))


PLANTED = [
    _planted("shop/total.py", 10, 11, "for item in items[1:]:", "The first item is left out of the sum.",
             " total = 0", "-for item in items:", "+for item in items[1:]:", "     total += item.price"),
    _planted("auth/login.py", 7, 8, "if not user.active:", "Users who were shut out can log in.",
             " user = load(name)", "-if not user.active:", "-    raise Forbidden", " return token(user)"),
    _planted("io/files.py", 22, 23, 'handle = open(path, "w")', "The file is emptied before the text is known.",
             " def save(path, make):", '+    handle = open(path, "w")', "     text = make()",
             '-    handle = open(path, "w")', "     handle.write(text)"),
    _planted("cmd/clean.sh", 2, 3, "rm -rf $TARGET/*", "Without TARGET it deletes everything.",
             " set -e", '-rm -rf "${TARGET:?}"/*', "+rm -rf $TARGET/*"),
]  # fmt: skip


def finding(one: Planted, **more: Any) -> dict[str, Any]:
    """What a reviewer says of the defect, with a line that is a little off."""
    told = {"file": one.file, "line": one.line + 2, "quote": one.quote, "claim": one.claim, "severity": "grave"}
    return {**told, "change": "Put it back as it was.", **more}


def review(one: Planted, label: str = "modify") -> Mapping[str, Scripted]:
    """The replies of a panel that finds the defect: one names it, another finds the same in other words, which the
    validator says, and a third names something that does not hold."""
    said = {f"{who}/round/{number}": opinion(label) for who in REVIEWERS for number in (1, 2)}
    wrong = {"file": one.file, "quote": "no such line", "claim": "It has no tests.", "severity": "fatal"}
    ruled = [
        {"reason": "Checked.", "finding": "F1", "holds": True, "same_as": "none"},
        {"reason": "The same fault.", "finding": "F2", "holds": True, "same_as": "F1"},
        {"reason": "Tests are elsewhere.", "finding": "F3", "holds": False, "same_as": "none"},
    ]
    return {
        **said,
        "tester/round/1": opinion(label, findings=[finding(one)]),
        "attacker/round/1": opinion(label, findings=[finding(one, claim="This looks wrong.", severity="serious")]),
        "maintainer/round/1": opinion(label, findings=[wrong]),
        "author/round/2": opinion(label, confirms=["F1"]),
        "validator/rule/2": ruling(label, findings=ruled),
    }
