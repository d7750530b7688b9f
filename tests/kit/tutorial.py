"""The protocol that docs/protocols.md builds, as the page has it."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "protocols.md"
PART = re.compile(r"^```python\n# (\w+\.py)(?:, continued)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def files_in(page: Path) -> dict[str, str]:
    """The Python files that a page builds step by step: each block names its file in its first line."""
    found: dict[str, str] = {}
    for name, code in PART.findall(page.read_text("utf-8")):
        found[name] = f"{found[name]}\n\n{code}" if name in found else code
    return found


def write_hands(folder: Path) -> Path:
    """The tutorial's protocol in that folder."""
    path = folder / "hands.py"
    path.write_text(files_in(PAGE)["hands.py"], "utf-8")
    return path
