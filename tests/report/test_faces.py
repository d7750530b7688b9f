"""The marks of speakers in a report: everybody has one, and no two have the same."""

import re
from pathlib import Path

import pytest

from tests.kit.shelf import demonstrated


@pytest.mark.parametrize(("protocol", "some"), [("hats", {"B1", "B2"}), ("oversight", {"D1", "D2"})])
def test_no_two_speakers_have_the_same_mark(protocol: str, some: set[str], tmp_path: Path) -> None:
    result, _ = demonstrated(protocol, tmp_path)
    report = (result.stored.path / "report.html").read_text("utf-8")
    said = re.findall(r'class="face" aria-hidden="true">(.*?)</span>\s*<h4>(.*?)</h4>', report)
    cast = re.findall(r'class="face" aria-hidden="true">(.*?)</span> (.*?)</h3>', report)
    marks = {name: mark for mark, name in cast}
    assert {*marks.values()} >= some
    assert len({*marks.values()}) == len(marks) > 2
    assert said and all(marks.get(name, "Mo") == mark for mark, name in said), "those who speak have theirs"
