"""What a dialogue came to, in words, and what speaks against relying on it: the same wherever it is shown."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.result import fold
from moot.present import Dissent, Flag
from tests.kit.persuasions import GAME, Replies, persuade, say

FINDINGS: Any = GAME["moderator/findings"]
RATIONALE: Any = GAME["moderator/rationale"]
BARE: Replies = {
    **GAME,
    "opponent/move/1": say("why A1", "Why?"),
    **{f"{part}/move/{turn}": "?" for part, turn in zip(("proponent", "opponent") * 2, range(2, 6), strict=True)},
    "opponent/closing": {"statement": "No."},
    "moderator/rationale": RATIONALE | {"winner": "Olaf", "rationale": "A1 has no reason.", "cites": ["A1"]},
    "moderator/findings": FINDINGS | {"concessions_that_mattered": []},
}
"""Nothing but a claim and a why: the rules leave the winner to the moderator, who is against the semantics."""
FLAGGED: dict[str, Replies] = {
    "verdict_not_whole": {"moderator/findings": "?"},
    "no_winner_named": BARE | {"moderator/rationale": "?"},
    "moderator_decided": BARE,
    "hangs_on_semantics": BARE,
    "verdict_against_scores": {
        "proponent/closing": {"statement": "You win.", "give_up": ["concede A2"]},
        "opponent/closing": {"statement": "I do."},
        "moderator/rationale": RATIONALE | {"winner": "Olaf"},
        "moderator/findings": FINDINGS | {"concessions_that_mattered": []},
    },
    "unfounded_concessions": {"moderator/findings": FINDINGS | {"concessions_that_mattered": ["Pia granted A5."]}},
    "turns_forfeited": {"opponent/move/5": "?"},
    "moves_not_looked_at": {"moderator/look/2": "?"},
    "unknown_references": {"moderator/rationale": RATIONALE | {"rationale": "A3, and K42."}},
}


def flags_of(result: moot.Result) -> dict[str, Flag]:
    return {flag.code: flag for flag in result.flags}


def test_nothing_speaks_against_a_dialogue_in_order(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path)
    assert list(flags_of(result)) == ["scripted_replies"]
    summary = result.summary
    assert (summary.headline, summary.kind, summary.decided) == ("Pia, the proponent, wins", "Verdict", True)
    assert summary.reached == "Decided by the scores of φ and ¬φ: s(φ) = 0.365, s(¬φ) = 0.350."
    assert summary.change == "1 concession and 0 retractions: Olaf conceded A3 in O6."
    assert summary.dissent == []


@pytest.mark.parametrize("code", FLAGGED)
def test_what_speaks_against_it_is_flagged_by_a_code_and_in_every_report(tmp_path: Path, code: str) -> None:
    result, _ = persuade(tmp_path, FLAGGED[code])
    assert result.status == "done", result.reason
    flag = flags_of(result)[code]
    run = moot.find_run(result.run)
    assert flag.model_dump() in (run.result() or {})["flags"]
    assert f'data-flag="{code}"' in (run.path / "report.html").read_text("utf-8")
    assert flag.text.partition(":")[0] in (run.path / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("scores_not_converged", '"certificate":{"converged":true', '"certificate":{"converged":false'),
        ("scores_not_unique", '"certificate":"acyclic","unique":true', '"certificate":"none","unique":false'),
    ],
)
def test_scores_that_are_not_certain_are_flagged(tmp_path: Path, code: str, before: str, after: str) -> None:
    run = moot.find_run(persuade(tmp_path)[0].run)
    log = run.log_path.read_text("utf-8")
    assert before in log
    run.log_path.write_text(log.replace(before, after, 1), "utf-8")
    assert code in flags_of(fold(run, "done", None, 1))


def test_semantics_that_decide_otherwise_dissent(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, BARE)
    assert result.summary.headline == "Olaf, the opponent, wins"
    assert Dissent(who="The grounded extension", reason="in favour of the proponent") in result.summary.dissent
    given_up, _ = persuade(tmp_path, FLAGGED["verdict_against_scores"])
    assert given_up.summary.dissent == [], "a root that was given up is lost under any semantics"
    assert flags_of(given_up)["verdict_against_scores"].text == (
        "The verdict goes against the scores, which are for the proponent (s(φ) = 0.365, s(¬φ) = 0.350); it was "
        "decided by concession."
    )


def test_what_was_given_up_is_told_by_whom_and_how(tmp_path: Path) -> None:
    result, _ = persuade(
        tmp_path, {"proponent/closing": {"statement": "It pays.", "give_up": ["retract A4, answering O4"]}}
    )
    assert result.status == "done", result.reason
    told = "1 concession and 1 retraction: Olaf conceded A3 in O6; Pia retracted A4 in P7."
    assert result.summary.change == told
    nothing, _ = persuade(
        tmp_path, {"opponent/closing": {"statement": "No."}, "moderator/findings": BARE["moderator/findings"]}
    )
    assert nothing.summary.change == "Nobody conceded or retracted anything."


def test_a_dialogue_that_stopped_says_how_far_it_is(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, max_calls=5)
    assert (result.summary.headline, result.summary.decided) == ("No verdict yet", False)
    assert result.summary.reached == "So far s(φ) = 0.350, s(¬φ) = 0.500."
    assert result.flags[0].code == "unfinished"
