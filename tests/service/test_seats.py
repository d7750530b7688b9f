"""What a person at a seat is shown: what its agent may know, and no more."""

from pathlib import Path

import pytest

from moot.service.live import readable_since
from tests.kit.shelf import demonstrated


@pytest.mark.parametrize(
    ("protocol", "seat", "hidden", "shown"),
    [
        ("council", "Member 2", {"answer", "ranking"}, "final"),
        ("council", "Chairman", {"answer", "ranking"}, "final"),
        ("delphi", "Expert 2", {"estimate"}, "header"),
        ("multiagent", "Agent 2", {"answer"}, "header"),
        ("oxford", "Listener 2", {"vote"}, "speech"),
        ("oversight", "Debater-1", {"decision"}, "statement"),
    ],
)
def test_whoever_answers_blind_is_not_shown_what_others_said(
    protocol: str, seat: str, hidden: set[str], shown: str, tmp_path: Path
) -> None:
    result, _ = demonstrated(protocol, tmp_path)
    run = result.stored
    entries = run.entries()
    seen = [one.entry for one in readable_since(run, entries, -1, seat)]
    assert not [one for one in seen if one.type in hidden and one.speaker != seat]
    assert [one for one in entries if one.speaker == seat] == [one for one in seen if one.speaker == seat]
    assert shown in {one.type for one in seen}
    assert len([*readable_since(run, entries, -1)]) == len(entries), "a reader sees all"
