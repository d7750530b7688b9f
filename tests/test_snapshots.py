"""A change of words in a prompt is seen in review: every prompt as it is sent stands in `tests/snapshots`."""

import pytest

from tests.kit.snapshots import CASES, FOLDER, SMALL, snapshots


@pytest.mark.parametrize(("name", "small"), [*((name, False) for name in CASES), *((name, True) for name in SMALL)])
def test_prompts_are_as_their_snapshots(name: str, small: bool) -> None:
    written = snapshots(name, small=small)
    kept = {
        file.name: file.read_text("utf-8") for file in (FOLDER / name).iterdir() if file.match("*.small.md") is small
    }
    assert written == kept, "after a wanted change: python -m tests.kit.snapshots"


def test_every_folder_has_its_case() -> None:
    assert {folder.name for folder in FOLDER.iterdir()} == set(CASES)
