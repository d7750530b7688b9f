"""docs/security.md names a test for every promise, and each of these exists."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_every_promise_has_its_test() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    rows = [
        line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| attack"))
    ]
    assert len(rows) > 30
    for row in rows:
        named = re.search(r"\| `(tests/[\w/]+\.py)::(test_\w+)` \|$", row)
        assert named, row
        functions = {one.name for one in ast.parse((ROOT / named[1]).read_text("utf-8")).body if hasattr(one, "name")}
        assert named[2] in functions, row
