"""Who won a persuasion dialogue, by what, and how that is told in reports and in the terminal."""

import io
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

import moot
from moot.cli.summary import print_summary
from moot.protocols.persuasion.payloads import TurnForfeited
from tests.kit.persuasions import GAME, Replies, outcome, persuade, say
from tests.kit.runs import entries

BARE: Replies = {
    "proponent/move/0": say("claim A1", "Let us."),
    "opponent/move/1": say("why A1", "Why?"),
    **{f"{part}/move/{turn}": "?" for part, turn in zip(("proponent", "opponent") * 2, range(2, 6), strict=True)},
    "proponent/closing": {"statement": "Yes."},
    "opponent/closing": {"statement": "No."},
    "moderator/rationale": {"winner": "Olaf", "rationale": "A1 has no reason.", "cites": ["A1"], "strongest": []},
    "moderator/findings": {**GAME["moderator/findings"], "concessions_that_mattered": []},  # type: ignore[dict-item]
}
"""Nothing but a claim and a why: the rules leave the winner to the moderator."""


def told(result: moot.Result) -> str:
    out = io.StringIO()
    print_summary(result, Console(file=out, width=1000))
    return " ".join(out.getvalue().split())


def reports(result: moot.Result) -> list[str]:
    folder = moot.find_run(result.run).path
    return [(folder / f"report.{form}").read_text("utf-8") for form in ("md", "html")]


def test_a_root_given_up_in_the_closing_ends_nothing_early(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {"opponent/closing": {"statement": "You win.", "give_up": ["concede A1"]}})
    assert (outcome(result).ended, outcome(result).ended_early) == ("φ was conceded by OPP", False)
    for text in (told(result), *reports(result)):
        assert "ended early" not in text
        assert "In the end φ was conceded by OPP." in text


@pytest.mark.parametrize(
    ("key", "choice", "early"), [("proponent/move/4", "A2", True), ("opponent/move/5", "A1", False)]
)
def test_a_root_given_up_is_early_while_turns_are_left(tmp_path: Path, key: str, choice: str, early: bool) -> None:
    replies: Replies = {
        key: say(f"concede {choice}", "Right."),
        "opponent/closing": {"statement": "So it is."},
        "moderator/rationale": {
            "winner": "Olaf" if early else "Pia", "rationale": "A1.", "cites": ["A1"], "strongest": []
        },
    }  # fmt: skip
    result, _ = persuade(tmp_path, replies)
    assert outcome(result).ended_early is early
    assert all(("The dialogue ended early" in text) is early for text in reports(result))


def test_a_moderator_who_decides_against_the_semantics_is_seen_to(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, game=BARE)
    found = outcome(result)
    assert (found.winner, found.decided_by, found.by_semantics["grounded"]) == ("Olaf", "moderator", "PRO")
    assert found.hangs_on_semantics is True
    assert all("The verdict hangs on the choice of semantics" in text for text in reports(result))
    agreeing, _ = persuade(
        tmp_path / "other",
        {"moderator/rationale": {"winner": "Pia", "rationale": "A1.", "cites": ["A1"], "strongest": []}},
        BARE,
    )
    assert outcome(agreeing).hangs_on_semantics is False


def test_a_moderator_who_names_nobody_decides_nothing(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {"moderator/rationale": "?"}, BARE)
    found = outcome(result)
    assert (result.status, found.winner, found.decided_by) == ("done", None, "nothing")
    assert told(result).startswith("No winner Decided by nobody: the rules leave it to the moderator, who named no")
    for text in (told(result), *reports(result)):
        assert "The moderator named no winner: no usable reply in 3 tries" in text
        assert "Decided by nobody: the rules leave it to the moderator" in text


def test_a_forfeit_names_who_lost_the_turn(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {"opponent/move/5": "?"})
    [lost] = [one.data for one in entries(result) if isinstance(one.data, TurnForfeited)]
    assert (lost.side, lost.agent) == ("OPP", "Olaf")


def test_the_history_is_told_of_where_there_is_one(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "notes.md").write_text("We should rewrite it before the autumn.\n", "utf-8")
    result, _ = persuade(tmp_path / "without", evidence=[str(folder)])
    assert "1 passage from 1 file:" in entries(result)[1].content
    assert all("1 passage from 1 file." in text and "git history" not in text for text in reports(result))
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(folder)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Rewrite it in part"]):
        subprocess.run([*git, *command], check=True)
    result, _ = persuade(tmp_path / "with", evidence=[str(folder)])
    assert all("1 passage from 1 file and 1 commit of the git history." in text for text in reports(result))
