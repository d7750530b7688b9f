"""`moot arena`: what goes in, what comes out, and how it looks while it runs."""

from pathlib import Path

import pytest

import moot as api
from moot.errors import Rejected
from moot.testing import Scripted
from tests.kit.arenas import SAME, revision, saying
from tests.kit.command import refused
from tests.kit.terminal import shown

pytestmark = pytest.mark.usefixtures("provider")


def test_what_is_refused() -> None:
    assert "either --agents" in refused("arena", "x y", "--agents", "3", "--agent", "A=b/c", "--agent", "B=b/c")
    for odd in ("=b/c", "Ada=", "Ada"):
        message = refused("arena", "x y", "--agent", odd, "--agent", "Bo=b/c")
        assert message == f"moot: an agent is given as NAME=MODEL, not {odd!r}\n"
    assert "Missing task." in refused("arena")


def test_every_kind_of_entry_is_told_in_words(tmp_path: Path) -> None:
    def reply(request: api.Request) -> Scripted:
        found: Scripted = saying("We should do what is best.")(request)
        if request.key == "cy/critique":
            return Rejected("no\x1b[31m way")
        return revision("Cache it.", "Bo") if request.key == "ada/revise/3" else found

    hollow = shown(tmp_path / "hollow", plain=reply, trickster=True, observer=True, revision_rounds=5)
    for words in (
        "thin evidence",
        "Trickster · doubts an agreement on thin evidence",
        "What do you know",
        "says it changed its mind because of Bo",
        "no answer to the Trickster has mended that",
    ):
        assert words in hollow, words
    assert "moot decides" in hollow
    agreed = shown(tmp_path / "agreed", plain=saying(SAME))
    assert "Decides the same as Ada." in agreed
    assert "Approved, by early consensus: 3 of 3 agents say that they decide the same." in agreed
    assert "✗ Cy has nothing to give: No criticism: no" in hollow
    assert "\x1b" not in hollow
    plain = shown(tmp_path / "plain")
    for words in ("Ada → Ada (its own)", "by majority: Ada has 3 of 3 votes", "opposite order"):
        assert words in plain, words
    assert "· " not in [line[:2] for line in plain.splitlines() if "proposal ·" in line]
