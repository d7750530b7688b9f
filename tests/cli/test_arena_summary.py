"""What the terminal says of an arena that was not plain sailing."""

from pathlib import Path

from tests.kit.arenas import CHOICE, each_for
from tests.kit.terminal import shown, summary


def test_what_is_ahead_is_quoted_where_nothing_was_decided(tmp_path: Path) -> None:
    text = summary(tmp_path, plain=each_for(CHOICE), max_extra_rounds=0)
    assert text.startswith("No decision: neither the vote nor the judge settles it")
    assert "Needs review, not settled. Ada is ahead: Cache the compiled modules" in text


def test_no_rounds_are_to_come_after_an_extra_one(tmp_path: Path) -> None:
    extra = shown(tmp_path / "extra", plain=each_for(CHOICE), max_extra_rounds=1)
    assert ": extension. " in " ".join(extra.split())
