"""A gate tells “no” from “could not ask”: an outage is no verdict."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.stage import exit_code
from moot.errors import Rejected
from moot.protocols.panel.config import PanelConfig
from moot.testing import ScriptedModel
from tests.kit import clock
from tests.kit.duels import assert_sound
from tests.kit.panels import IDEA, PANELLISTS, labels, opinion, outcome, panel, plain, rules, ruling, script_of

DOWN = Rejected("down")


def down(*names: str) -> dict[str, Any]:
    return {f"{who}/{at}/{n}": DOWN for who in names for at in ("round", "rule", "ballot") for n in (1, 2, 3)}


def taken_up(result: moot.Result, said: dict[str, Any] | None = None) -> moot.Result:
    model = ScriptedModel(script_of(said or {}))
    return asyncio.run(moot.resume(moot.find_run(result.run), models={model.name: model}))


@pytest.mark.parametrize("require", [None, "accept"])
def test_an_outage_of_everything_is_no_verdict_and_can_be_taken_up(tmp_path: Path, require: str | None) -> None:
    result, model = panel(tmp_path, down(*PANELLISTS, "validator"), require=require, reports=False)
    assert (result.status, outcome(result).decision, result.gate and result.gate.decision) == ("failed", None, None)
    assert "only 0 answered in round 1, and 4 are needed to decide" in (result.reason or "")
    assert outcome(result).answered is None, "there is no decision that it could be the base of"
    # Once two are missing, three more can decide nothing.
    assert [request.key for request in model.requests] == ["innovator/round/1", "pragmatist/round/1"]
    again = taken_up(result)
    assert (again.status, outcome(again).decision, outcome(again).answered) == ("done", "accept", 5)
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize("kind", ["selection", "improvement"])
def test_a_missing_validator_is_no_verdict_and_can_be_taken_up(tmp_path: Path, kind: str) -> None:
    result, _ = panel(tmp_path, down("validator"), kind=kind, reports=False)
    assert (result.status, outcome(result).decision) == ("failed", None)
    assert "1 validator is needed to decide; resume the run to ask those missing again: Validator" in (
        result.reason or ""
    )
    again = taken_up(result)
    assert (again.status, outcome(again).carried, outcome(again).missing) == ("done", True, [])
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize(("quorum", "status"), [(3, "done"), (4, "failed"), (5, "failed")])
def test_the_quorum_is_a_setting(tmp_path: Path, quorum: int, status: str) -> None:
    result, _ = panel(tmp_path, down("critic", "advocate"), quorum=quorum, reports=False)
    assert result.status == status
    if status == "done":
        found = outcome(result)
        assert (found.answered, found.personas, found.decision) == (3, 5, "accept")
        assert [one.persona for one in found.missing] == ["Critic", "Advocate"]
        # Who is missing counts against it: 3.7 of 5.5.
        assert found.agreement == pytest.approx(3.7 / 5.5, abs=1e-4)


@dataclass
class Hanging:
    """A model that never answers: as soon as it is asked, an hour goes by."""

    name: str = "scripted/hanging"
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: object = None) -> moot.ModelReply:
        clock.put_forward(3600)
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("who", PANELLISTS)
def test_one_that_hangs_takes_time_from_nobody(who: str, tmp_path: Path) -> None:
    """Wherever it sits, it alone is missing, and the others decide."""

    def within(request: moot.Request) -> Any:
        if "/round/1" in request.key:
            clock.put_forward(50)  # of 60 seconds for each: together they take longer
        return plain(request)

    model, hanging = ScriptedModel(within), Hanging()
    models: dict[str, moot.Model] = {model.name: model, hanging.name: hanging}
    given: Any = {"model": model.name, "roles": {who: hanging.name}, "models": models, "timeout_per_round": 60}
    one_round: Any = {"kinds": {"selection": {"rounds": 1}}, "max_rounds": 1}
    result = clock.run(moot.panel(IDEA, **given, **one_round, out=str(tmp_path)))
    found = outcome(result)
    assert (result.status, found.decision, found.answered) == ("done", "accept", 4)
    late = {one.agent for one in result.failures if one.reason == "no usable reply within 60 seconds"}
    assert late == {who.capitalize()} == {one.persona for one in found.missing}
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize(
    ("floor", "kind", "needed"),
    [
        (None, "improvement", "0.50"),
        ("0.6", "improvement", "0.6"),
        ("0.9", "selection", "0.9"),
        ("0.6", "difficulty", "0.8"),
    ],
)
def test_the_least_agreement_is_a_floor_for_every_kind(floor: str | None, kind: str, needed: str) -> None:
    config = moot.configure("panel", idea=IDEA, kind=kind, min_agreement_threshold=floor).debate
    assert isinstance(config, PanelConfig)
    assert float(config.rules.threshold) == float(needed)


def test_one_number_of_a_shipped_kind_can_be_another() -> None:
    config = moot.configure("panel", idea=IDEA, kinds={"selection": {"agreement": 0.9}}).debate
    assert isinstance(config, PanelConfig)
    assert (float(config.rules.threshold), list(config.chosen.labels)) == (0.9, ["accept", "modify", "reject"])
    assert config.chosen.rounds == 2


def test_weights_go_by_names_in_any_case() -> None:
    block = {"innovator": 1.0, "pragmatist": 1.2, "critic": 1.0, "advocate": 0.8, "validator": 2}
    config = moot.configure("panel", idea=IDEA, persona_weights=block).debate
    assert isinstance(config, PanelConfig)
    assert float(config.weight_of(config.personas[-1])) == 2


def test_the_panel_of_a_new_version_knows_what_was_asked_for(tmp_path: Path) -> None:
    said: dict[str, Any] = labels(*["modify"] * 4) | {
        f"validator/rule/{n}": ruling("modify", modifications_required=["Say who pays."]) for n in (2, 3)
    }
    said |= {f"{who}@2/round/{n}": opinion("accept") for who in PANELLISTS for n in (1, 2)}
    result, model = panel(tmp_path, said, reports=False)
    assert outcome(result).decision == "accept"
    firsts = [next(one for one in model.requests if one.agent == f"{who}@2") for who in (*PANELLISTS, "validator")]
    assert all("- Say who pays." in first.messages[-1].content for first in firsts)
    assert "Say who pays." not in next(one for one in model.requests if one.agent == "critic").messages[-1].content


def test_whoever_abstains_is_confident_of_nothing(tmp_path: Path) -> None:
    tied, _ = panel(
        tmp_path / "tied", labels("accept", "accept", "reject", "reject") | rules("abstain"), persona_weights=TIED
    )
    assert (outcome(tied).leading, outcome(tied).confidence) == (None, None)
    changes = dict.fromkeys(("M1", "M2", "M3", "M4"), "abstain")
    said = {f"validator/rule/{number}": ruling(None, votes=changes) for number in (2, 3)}
    open_still, _ = panel(tmp_path / "open", said, kind="improvement")
    assert (outcome(open_still).decision, outcome(open_still).confidence) == ("no_consensus", None)


ATTENDANCE: dict[str, dict[str, Any]] = {
    "all": {},
    "quorum": {"advocate/round/2": DOWN},
    "too few": {"advocate/round/2": DOWN, "critic/round/2": DOWN},
    "no validator": {"validator/rule/2": DOWN},
}
LEADING = {  # by the four panellists, with and without a validator who holds the same
    "carries": (["accept"] * 3 + ["reject"], "accept", "reject"),
    "below": (["accept", "modify", "reject", "reject"], "accept", "modify"),
    "tied": (["accept", "accept", "reject", "reject"], "abstain", "abstain"),
    "nobody": (["abstain"] * 4, "abstain", "abstain"),
}
TIED = {"Innovator": 1, "Pragmatist": 1, "Critic": 2, "Advocate": 0, "Validator": 1}
CARRYING = {"Innovator": 3, "Pragmatist": 3, "Critic": 3, "Advocate": 0, "Validator": 1}


@pytest.mark.parametrize("attendance", ATTENDANCE)
@pytest.mark.parametrize("leading", LEADING)
@pytest.mark.parametrize("holds", [True, False])
def test_every_outcome_of_the_table(tmp_path: Path, attendance: str, leading: str, holds: bool) -> None:
    held, with_it, against = LEADING[leading]
    said = {**labels(*held), **rules(with_it if holds else against), **ATTENDANCE[attendance]}
    settings = {"max_rounds": 2, "max_revisions": 0, "require": "accept", "reports": False}
    weights = CARRYING if leading == "carries" else TIED
    result, _ = panel(tmp_path, said, persona_weights=weights, **settings)
    found = outcome(result)
    if attendance in ("too few", "no validator"):
        expected: tuple[str, str | None, int] = ("failed", None, 1)
    elif leading == "carries" and holds:
        expected = ("done", "accept", 0 if attendance == "all" else 100)
    else:
        expected = ("done", "no_consensus", 100)
    assert (result.status, found.decision, exit_code(result)) == expected, found.short_of


def test_a_gate_can_let_a_quorum_pass(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, ATTENDANCE["quorum"], require="accept", allow=["replies_missing"], reports=False)
    assert exit_code(result) == 0
    assert result.gate is not None and result.gate.allowed == ["replies_missing"]
