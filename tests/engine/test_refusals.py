"""What a gate refuses, in every protocol: the table of the documentation, and debates that come to what it lists."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.stage import REQUIREMENT_MISSED, exit_code
from moot.engine.define.gate import ALWAYS, GROUNDS, Decides, judged
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.models.scripted import read_demo
from moot.present import Flag
from moot.protocols.duel.result import DuelOutcome, requirements_met
from moot.testing import ScriptedModel
from moot.text.prose import plain_words
from tests.kit.arenas import arena
from tests.kit.chaired import FIXED, QUOTE, because, config_of, model_of, readings
from tests.kit.duels import ahead, answer_for, duel, play
from tests.kit.panels import labels, opinion, panel, rules
from tests.kit.persuasions import CLEAR, persuade
from tests.kit.shelf import BAD, briefed, demonstrated

DOCS = Path(__file__).parents[2] / "docs"
GATES = [name for name in OFFERED if get_protocol(name).get(Decides)]
DISPUTED = {f"blue/defence/{n}": {"thought": "x", "answer": "No.", "handling": "disputed"} for n in (1, 2, 3)}
HOLDS = briefed(
    "Yes.",
    thought="x",
    attack="It is slow.",
    severity="minor",
    go_ahead="submitted",
    residuals=dict.fromkeys(("A1", "A2", "A3"), "none"),
)
DECISION: dict[str, Any] = {
    "promoter_case": "Trams.",
    "detractor_case": "Cars.",
    **because(2, reason="The promoter answered #3."),
    "answer": "Yes, build trams.",
    "stronger": "promoter",
    "outcome": "affirmative_wins",
}
assessment = FIXED["assessment"]
assert isinstance(assessment, dict)
FOR_THE_PROMOTER = {"assessor@report/assessment": {**assessment, "reasons_for": "promoter"}}
READ_OTHERWISE = {"assessor@report/assessment": {**assessment, "reasons_for": "detractor"}}


NOTHING_ADMITTED = {
    f"defender/answer/{n}": {"thought": "x", "answer": "Yes.", "admits": "none", "admitted": ""} for n in range(1, 5)
}
UPHELD = briefed(verdict="upheld", thesis=read_demo("socratic").settings["topic"])


def a_duel(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> moot.Result:
    return duel(folder, {**ahead(), **(replies or {})}, require="winner", **settings)[0]


def extracted(ada: int, bo: int) -> dict[str, Any]:
    return {"judge@verdict/extract": {"winner": "Ada", "scores": {"Ada": ada, "Bo": bo}, "margin": "decisive"}}


BEHIND = {
    "judge/score/1": {"score": 1, "reasoning": "Weak."},
    "judge/score/2": {"score": 9, "reasoning": "Strong."},
}


def a_chaired(folder: Path, decision: dict[str, Any] | None = None, **answers: Any) -> moot.Result:
    said = {"chair@conclusion/decision": {**DECISION, **(decision or {})}, **FOR_THE_PROMOTER, **answers}
    return play(config_of(folder, require="affirmative_wins"), model_of(said))


PASSING: dict[str, Callable[[Path], moot.Result]] = {
    "duel": a_duel,
    "chaired": a_chaired,
    "panel": lambda folder: panel(folder, require="accept")[0],
    "arena": lambda folder: arena(folder, require="approved")[0],
    "persuasion": lambda folder: persuade(folder, CLEAR, require=["winner"])[0],
    "oxford": lambda folder: demonstrated("oxford", folder, require="for")[0],
    "socratic": lambda folder: demonstrated("socratic", folder, require="amended")[0],
    "multiagent": lambda folder: demonstrated("multiagent", folder, require=["Day 8"])[0],
    "oversight": lambda folder: demonstrated(
        "oversight", folder, require=["He wanted the harbour to see that he was needed"]
    )[0],
    "redteam": lambda folder: demonstrated("redteam", folder, {**DISPUTED, "red/again/1": HOLDS}, require="holds")[0],
}
"""A debate of each protocol that passes its gate."""


def refused(protocol: str) -> dict[str, Any]:
    decides = get_protocol(protocol).get(Decides)
    assert decides is not None
    return {**decides.refused}


@pytest.mark.parametrize("protocol", GATES)
def test_a_gate_refuses_every_flag_of_the_table_unless_it_is_allowed(protocol: str, tmp_path: Path) -> None:
    result = PASSING[protocol](tmp_path)
    assert exit_code(result) == 0, result.gate
    config, entries = result.stored.config, result.stored.entries()
    for code, ground in refused(protocol).items():
        flags = [*result.flags, Flag(code=code, text="It is so.")]
        gate = judged(config, "done", None, result.outcome, flags, entries)
        assert gate is not None and gate.passed is False and gate.accepted_sha256 is None
        assert [(one.code, one.ground) for one in gate.refused] == [(code, ground)]
        assert f"--allow {code}" in gate.why
        lenient = replace(config, options=config.options.model_copy(update={"allow": [code]}))
        let_pass = judged(lenient, "done", None, result.outcome, flags, entries)
        assert let_pass is not None and let_pass.passed is True
        assert (let_pass.refused, let_pass.allowed) == ([], [code])
        stopped = judged(lenient, "failed", "the server is down", result.outcome, flags, entries)
        assert stopped is not None and stopped.passed is False, "no flag lets a debate pass that did not finish"


def test_the_table_is_in_the_documentation() -> None:
    text = (DOCS / "pipelines.md").read_text("utf-8")
    rows = {row[0]: row[1:] for line in text.splitlines() if len(row := line.strip("| ").split(" | ")) == 3}
    for ground, words in GROUNDS.items():
        told, listed = rows[ground]
        assert told == words
        named = {f"{protocol}: {', '.join(f'`{code}`' for code in own)}" for protocol, own in by_protocol(ground)}
        assert {*filter(None, listed.split("; "))} == named, ground


def by_protocol(ground: Any) -> list[tuple[str, list[str]]]:
    """The codes of a ground, first those of all protocols, then those that each adds."""
    always = [*ALWAYS.get(ground, ())]
    own = [
        (name, [code for code, one in refused(name).items() if one == ground and code not in always]) for name in GATES
    ]
    return [(name, codes) for name, codes in [("all", always), *own] if codes]


def test_every_flag_of_the_table_is_one_that_is_raised() -> None:
    source = "\n".join(one.read_text("utf-8") for one in Path(moot.__file__).parent.rglob("*.py"))
    raised = {*re.findall(r'(?:Flag\(\s*code=|texts\[|found\[|_told\()"(\w+)"', source)}
    assert {code for name in GATES for code in refused(name)} <= raised


def test_a_protocol_cannot_remove_what_every_gate_refuses() -> None:
    always = {code for codes in ALWAYS.values() for code in codes}
    assert "replies_missing" in always
    assert all(always <= refused(name).keys() for name in GATES)


def test_a_flag_that_no_gate_refuses_cannot_be_allowed() -> None:
    with pytest.raises(moot.ConfigError, match="A gate of panel refuses these flags: summary_failed, replies_missing"):
        moot.configure("panel", idea="An idea.", require="accept", allow=["replys_missing"])


def checked_as(folder: Path, reading: Any, **answers: Any) -> moot.Result:
    """A chaired debate that the promoter wins, in which the verifier reads every source like that."""
    usual = model_of({"chair@conclusion/decision": DECISION, **FOR_THE_PROMOTER, **answers}).script
    assert callable(usual)
    model = ScriptedModel(
        lambda request: readings(request, reading) if request.key.endswith("/check") else usual(request)
    )
    return play(config_of(folder, require="affirmative_wins"), model)


def panel_with_finding(folder: Path, label: str = "accept", *ruled: Any) -> moot.Result:
    """Everybody decides so, after a grave finding on which the validator rules like that, if at all."""
    said = labels(*[label] * 4)
    raised = {"critic/round/1": opinion(label, findings=[{"claim": "It loses orders.", "severity": "grave"}])}
    open_still = {"inconsistencies": ["It leaks."]} if label == "reject" else {}
    held = rules(label, findings=[{"finding": "F1", "holds": holds} for holds in ruled], **open_still)
    return panel(folder, {**said, **raised, **held}, require=label)[0]


DEBATES: list[tuple[str, str, Callable[[Path], moot.Result]]] = [
    (
        "duel",
        "answer_missing",
        lambda folder: a_duel(folder, {"judge/announce": ["Nobody wins this one."] * 3}),
    ),
    ("chaired", "win_without_statement", lambda folder: a_chaired(folder, because())),
    ("chaired", "win_without_statement", lambda folder: a_chaired(folder, because(3))),
    (
        "chaired",
        "conclusion_not_compared",
        lambda folder: a_chaired(folder, {"stronger": None}),
    ),
    (
        "chaired",
        "answer_contradicts_verdict",
        lambda folder: a_chaired(folder, {"stronger": "detractor"}),
    ),
    ("panel", "findings_stand", panel_with_finding),
    ("panel", "findings_stand", lambda folder: panel_with_finding(folder, "accept", True)),
    (
        "multiagent",
        "replies_missing",
        lambda folder: demonstrated("multiagent", folder, {"agent-1/answer/2": BAD}, require=["Day 8"])[0],
    ),
]


def panel_with(folder: Path, **more: Any) -> moot.Result:
    return panel(folder, rules("accept", **more), require="accept", full=False)[0]


def struck(folder: Path) -> moot.Result:
    said = {f"{role}@opening/turn": ["?", "?", "?"] for role in ("promoter", "detractor")}
    return a_chaired(folder, because(), **said)


def read_otherwise(folder: Path) -> moot.Result:
    said = {**because(2, reason="The detractor wins."), "stronger": "promoter"}
    return a_chaired(folder, said, **READ_OTHERWISE)


CONTRADICTED = {"supports": "contradicts", "quote": QUOTE, "explanation": "It says the opposite.", "confidence": 0.9}
NOT_THERE = CONTRADICTED | {"supports": "says_nothing", "quote": ""}
NOT_FOUND = CONTRADICTED | {"supports": "supports", "quote": "These words are on no page of it."}
DISTRUSTED: dict[str, tuple[set[str], Callable[[Path], moot.Result]]] = {
    "level": ({"scores_level"}, lambda folder: a_duel(folder, extracted(7, 7))),
    "nothing": ({"scores_level"}, lambda folder: a_duel(folder, extracted(0, 0))),
    "neither": (
        {"answer_contradicts_verdict"},
        lambda folder: a_duel(folder, {"judge/announce": [answer_for("neither", "Neither.")] * 2}),
    ),
    "running": ({"running_scores_contradict_winner"}, lambda folder: a_duel(folder, BEHIND)),
    "struck": ({"win_without_statement", "replies_missing"}, struck),
    "refuted": ({"win_rests_on_refuted"}, lambda folder: checked_as(folder, CONTRADICTED)),
    "not there": ({"win_rests_on_refuted"}, lambda folder: checked_as(folder, NOT_THERE)),
    "not found": ({"no_source_judged"}, lambda folder: checked_as(folder, NOT_FOUND)),
    "unjudged": ({"no_source_judged", "replies_missing"}, lambda folder: checked_as(folder, "?")),
    "reasons": ({"reasons_contradict_outcome"}, read_otherwise),
    "inconsistent": ({"inconsistencies_open"}, lambda folder: panel_with(folder, inconsistencies=["It counts twice."])),
    "conditional": ({"modifications_required"}, lambda folder: panel_with(folder, modifications_required=["Smaller."])),
}
"""Decisions that a gate let pass, each with the flags for which it refuses them now."""
DISTRUSTED |= {f"{protocol}: {code}, {n}": ({code}, debate) for n, (protocol, code, debate) in enumerate(DEBATES)}


@pytest.mark.parametrize("which", DISTRUSTED)
def test_a_debate_that_the_program_itself_distrusts_does_not_pass(which: str, tmp_path: Path) -> None:
    codes, debate = DISTRUSTED[which]
    result = debate(tmp_path)
    assert result.status == "done", result.reason
    assert exit_code(result) == REQUIREMENT_MISSED
    assert result.gate is not None and codes <= {one.code for one in result.gate.refused}, result.gate
    document = result.document()["gate"]
    assert (document["passed"], document["accepted_sha256"]) == (False, None)
    assert codes <= {one["code"] for one in document["refused"]}


def test_a_thesis_that_is_upheld_is_the_one_that_was_asked_about(tmp_path: Path) -> None:
    """Whatever else the defender makes of it."""
    said = {**NOTHING_ADMITTED, "defender/closing": {**UPHELD, "thesis": "Build a casino."}}
    result, _ = demonstrated("socratic", tmp_path, said, require="upheld")
    assert result.gate is not None and result.gate.passed and "casino" not in result.outcome.thesis  # type: ignore[union-attr]


def test_a_finding_that_does_not_hold_stops_nothing_and_one_that_holds_stops_no_rejection(tmp_path: Path) -> None:
    for label, holds in (("accept", False), ("reject", True)):
        result = panel_with_finding(tmp_path / label, label, holds)
        assert result.gate is not None and result.gate.passed, result.gate
        assert not {"findings_stand", "inconsistencies_open"} & {flag.code for flag in result.flags}


@pytest.mark.parametrize("options", [["merge", "for"], ["against", "merge"]])
def test_no_wording_of_the_options_lets_both_sides_of_a_duel_pass(options: list[str], tmp_path: Path) -> None:
    """Whoever writes the title of a change may write the question."""
    won = a_duel(tmp_path, options=options, claim=None)
    assert isinstance(won.outcome, DuelOutcome) and won.outcome.winner == "Ada"
    lost = won.outcome.model_copy(update={"winner": "Bo", "option": options[1]})
    first, second = (requirements_met(one, won.stored.entries()) for one in (won.outcome, lost))
    assert {"for", "winner"} <= {*first} and {"against", "winner"} <= {*second}
    assert {*map(plain_words, first)} & {*map(plain_words, second)} == {"winner"}
