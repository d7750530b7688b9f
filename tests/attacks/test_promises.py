"""docs/security.md names tests for every promise, and each of these exists."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
HEADS = ("| promise | test |", "| attack | test |")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_promise_has_its_tests() -> None:
    tables = (ROOT / "docs" / "security.md").read_text("utf-8").split("\n\n")
    rows = [row for one in tables if one.startswith(HEADS) for row in one.splitlines()[2:]]
    assert len(rows) > 30
    for row in rows:
        tests = row.removesuffix(" |").rpartition(" | ")[2]
        assert NAMED.sub("", tests).strip() == "" and NAMED.search(tests), row
        for file, name in NAMED.findall(tests):
            functions = {one.name for one in ast.parse((ROOT / file).read_text("utf-8")).body if hasattr(one, "name")}
            assert name in functions, name
