"""The panel, driven through the public API and judged by its log."""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import Rejected
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.payloads import Position
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound
from tests.kit.panels import IDEA, PANELLISTS, Said, labels, opinion, outcome, panel, rules, ruling
from tests.kit.runs import entries
from tests.kit.waiting import turns

KINDS = [("selection", 2, "0.6"), ("difficulty", 3, "0.8"), ("improvement", 2, "0.5"), ("feasibility", 2, "0.7")]


def texts(model: ScriptedModel, key: str) -> str:
    """Everything that was sent at that key."""
    request = next(one for one in model.requests if one.key == key)
    return "\n".join(message.content for message in request.messages)


def test_the_shortest_course(tmp_path: Path) -> None:
    result, model = panel(tmp_path)
    assert result.status == "done"
    kinds = [(entry.type, entry.speaker) for entry in entries(result)]
    names = ["Innovator", "Pragmatist", "Critic", "Advocate"]
    assert kinds == [
        ("header", "moot"),
        ("brief", "moot"),
        ("idea", "moot"),
        *[("position", name) for name in names * 2],
        ("synthesis", "Validator"),
        ("decision", "moot"),
    ]
    assert len(model.requests) == 9
    assert result.longest_chain == 6
    assert (outcome(result).decision, outcome(result).agreement, outcome(result).rounds_taken) == ("accept", 1.0, 2)
    assert_sound(moot.find_run(result.run))


GRAVE: dict[str, Any] = {"findings": [{"claim": "It loses orders.", "severity": "grave"}]}
EARLY: dict[str, tuple[dict[str, Any], dict[str, Any], int, str]] = {
    "all agree": ({}, {}, 1, "accept"),
    "all propose nothing": (
        {**{f"{who}/round/1": opinion(None, modifications=[]) for who in PANELLISTS}, "validator/rule/1": ruling("no")},
        {"kind": "improvement"},
        1,
        "no",
    ),
    "one differs": (labels("accept", "reject", "accept", "accept", round=1), {}, 2, "accept"),
    "one declines": ({"critic/round/1": opinion("abstain")}, {}, 2, "accept"),
    "one is missing": ({"critic/round/1": Rejected("down")}, {}, 2, "accept"),
    "something grave is open": ({"critic/round/1": opinion(**GRAVE)}, {}, 2, "accept"),
    "the validator dissents": ({"validator/rule/1": ruling("reject")}, {}, 2, "accept"),
    "it is to hold every round": ({}, {"full": True}, 2, "accept"),
}


@pytest.mark.parametrize("name", EARLY)
def test_a_unanimous_and_unchallenged_first_round_ends_it(name: str, tmp_path: Path) -> None:
    said, settings, rounds, decision = EARLY[name]
    found = outcome(panel(tmp_path, said, **{"full": False, **settings})[0])
    assert (found.rounds_taken, found.decision, found.carried) == (rounds, decision, True)
    spent = found.metrics.efficiency
    assert (spent.rounds_least, spent.calls_least) == ((2, 9) if settings.get("full") else (1, 5))


@pytest.mark.parametrize(("kind", "rounds", "threshold"), KINDS)
def test_the_kinds_are_those_of_the_table(kind: str, rounds: int, threshold: str) -> None:
    planned = asyncio.run(moot.plan(moot.configure("panel", idea=IDEA, kind=kind, model="scripted/x")))
    assert planned.calls == 4 * rounds + 1 + 5 * (kind == "improvement")
    config = moot.configure("panel", idea=IDEA, kind=kind).debate
    assert isinstance(config, PanelConfig)
    assert (config.chosen.rounds, config.rules.threshold) == (rounds, Decimal(threshold))
    assert (config.max_rounds, config.max_revisions, config.required_validators) == (3, 2, 1)
    assert (config.min_agreement_threshold, config.timeout_per_round, config.needed) == (None, 600, 4)


@pytest.mark.parametrize(("off", "adopted"), [("-0.001", False), ("0", False), ("0.001", True)])
def test_a_change_at_just_below_and_just_above_its_threshold(tmp_path: Path, off: str, adopted: bool) -> None:
    """At exactly half the weight yes and no tie, and a tie carries nothing."""
    share = Decimal("0.5") + Decimal(off)
    weights = {"Validator": share - Decimal("0.1"), "Innovator": Decimal("0.1"), "Critic": 1 - share}
    weights |= {"Pragmatist": Decimal(0), "Advocate": Decimal(0)}
    said: dict[str, Said] = {
        f"{who}/round/{n}": opinion(None, modifications=["Do X."]) for who in PANELLISTS for n in (1, 2, 3)
    }
    for number in (2, 3):
        said |= {f"{who}/ballot/{number}": {"votes": {"M1": "no"}} for who in PANELLISTS[1:]}
    result, _ = panel(tmp_path, said, kind="improvement", persona_weights={name: str(w) for name, w in weights.items()})
    found = outcome(result)
    assert found.modifications_required == (["Do X."] if adopted else [])
    assert found.decision == ("yes" if adopted else "no_consensus")
    assert_sound(moot.find_run(result.run))


def test_with_abstentions_yes_at_exactly_half_carries(tmp_path: Path) -> None:
    weights = {"Validator": "0.4", "Innovator": "0.1", "Critic": "0.5", "Pragmatist": "0", "Advocate": "0"}
    said: dict[str, Any] = {
        f"{who}/round/{n}": opinion(None, modifications=["Do X."]) for who in PANELLISTS for n in (1, 2)
    }
    said["critic/ballot/2"] = ["?", "?", "?"]
    result, _ = panel(tmp_path, said, kind="improvement", persona_weights=weights)
    [change] = outcome(result).changes
    assert (change.decision, change.agreement) == ("yes", 0.5)
    assert [one.persona for one in outcome(result).missing] == ["Critic"]


def test_round_one_is_in_order_and_later_rounds_are_blind_to_themselves(tmp_path: Path) -> None:
    said = {
        f"{who}/round/{number}": opinion("modify" if number < 3 else "accept", claim=f"claim of {who} in {number}")
        for who in PANELLISTS
        for number in (1, 2, 3)
    }
    result, model = panel(tmp_path, said | rules("reject") | {"validator/rule/3": ruling("accept")})
    assert outcome(result).rounds_taken == 3
    for place, who in enumerate(PANELLISTS):
        heard = texts(model, f"{who}/round/1")
        for other in PANELLISTS:
            assert (f"claim of {other} in 1" in heard) is (PANELLISTS.index(other) < place)
        for number in (2, 3):
            heard = texts(model, f"{who}/round/{number}")
            for other in PANELLISTS:
                assert f"claim of {other} in {number - 1}" in heard
                assert f"claim of {other} in {number}" not in heard
    everything = texts(model, "validator/rule/3")
    assert all(f"claim of {who} in {number}" in everything for who in PANELLISTS for number in (1, 2, 3))
    # A ruling that did not carry is told to the panel before its last round.
    assert "All things weighed." in texts(model, "critic/round/3")
    assert "All things weighed." not in texts(model, "critic/round/2")


def test_everybody_is_shown_the_idea_the_labels_and_the_criteria_as_data(tmp_path: Path) -> None:
    _, model = panel(tmp_path, idea={"name": "Queue", "domain": "imports"}, truth="reject", require="accept")
    for who in (*PANELLISTS, "validator"):
        first = next(request for request in model.requests if request.agent == who)
        prompt = first.messages[-1].content
        assert "<<<idea 1 " in prompt
        assert "name: Queue\ndomain: imports" in prompt
        assert "- reject: It does not go ahead." in prompt
        assert "worth doing" in prompt
        assert first.schema is not None
        assert first.schema["properties"]["label"]["enum"] == ["accept", "modify", "reject", "abstain"]


def test_nobody_is_told_what_is_required_or_known_to_be_right(tmp_path: Path) -> None:
    label = "secret_label"
    kind = {"question": "Which?", "labels": {"open": "o", label: "s"}, "criteria": "c"}
    said = {f"{who}/round/{n}": opinion("open") for who in PANELLISTS for n in (1, 2)} | {
        "validator/rule/2": ruling("open")
    }
    with_, one = panel(tmp_path / "a", said, kind="mine", kinds={"mine": kind}, truth=label, require=label)
    without, two = panel(tmp_path / "b", said, kind="mine", kinds={"mine": kind})
    assert [request.messages for request in one.requests] == [request.messages for request in two.requests]
    assert [one.gate and one.gate.passed for one in (with_, without)] == [False, None]
    accuracy = outcome(with_).metrics.accuracy
    assert accuracy is not None
    assert (accuracy.truth, accuracy.correct) == (label, False)
    assert outcome(without).metrics.accuracy is None


def test_a_vote_outside_the_labels_goes_back_and_is_then_missing(tmp_path: Path) -> None:
    wrong = opinion("maybe")
    result, model = panel(tmp_path, {"critic/round/2": [wrong, wrong], "advocate/round/2": [wrong, opinion()]})
    tries = [request for request in model.requests if request.key == "critic/round/2"]
    assert len(tries) == 2
    assert "`label`" in tries[1].messages[-1].content
    found = outcome(result)
    votes = {vote.persona: vote.label for vote in found.votes}
    assert votes == {**dict.fromkeys(["Innovator", "Pragmatist", "Advocate", "Validator"], "accept"), "Critic": None}
    assert found.agreement == pytest.approx(4.5 / 5.5, abs=1e-4)
    [missing] = found.missing
    assert missing.persona == "Critic"
    assert "no usable reply in 2 tries" in missing.reason
    assert (found.answered, found.personas, found.abstained) == (4, 5, [])
    assert any("no usable reply" in one.reason for one in result.failures)
    assert_sound(moot.find_run(result.run))


def test_a_broken_model_is_missing_and_the_round_goes_on(tmp_path: Path) -> None:
    broken = Rejected("no such model")
    result, model = panel(tmp_path, {"innovator/round/1": broken, "innovator/round/2": opinion("accept")})
    assert result.status == "done"
    first = next(entry for entry in entries(result) if entry.speaker == "Innovator")
    assert isinstance(first.data, Position)
    assert first.data.label is None
    assert "no such model" in (first.data.failure or "")
    # Why it failed is not for the others, and it gets everything it has missed.
    assert "no such model" not in "".join(texts(model, request.key) for request in model.requests)
    heard = texts(model, "innovator/round/2")
    assert IDEA in heard
    assert "\nAdvocate, round 1\n" in heard
    assert (outcome(result).missing, outcome(result).answered) == ([], 5)
    assert_sound(moot.find_run(result.run))


def test_whoever_missed_a_round_is_shown_it_later(tmp_path: Path) -> None:
    said: dict[str, Said] = {
        f"{who}/round/{number}": opinion("accept", claim=f"claim of {who} in {number}")
        for who in PANELLISTS
        for number in (1, 2, 3)
    }
    broken: dict[str, Said] = {"critic/round/2": Rejected("down"), "validator/rule/2": ruling("reject")}
    result, model = panel(tmp_path, said | broken)
    assert outcome(result).decision == "accept"
    critic, innovator = (texts(model, f"{who}/round/3") for who in ("critic", "innovator"))
    assert "claim of advocate in 1" in critic
    assert critic.count("claim of advocate in 2") == 1
    assert innovator.count("claim of advocate in 1") == innovator.count("claim of advocate in 2") == 1
    ruled = texts(model, "validator/rule/3")
    assert all(
        ruled.count(f"claim of {who} in {n}") == 1 for who in PANELLISTS for n in (1, 2, 3) if (who, n) != ("critic", 2)
    )


def test_the_validators_veto_costs_a_round_beyond_the_shortest_course(tmp_path: Path) -> None:
    found = outcome(panel(tmp_path, rules("reject"))[0])
    assert (found.decision, found.leading, found.recommendation) == ("no_consensus", "accept", "reject")
    assert (found.carried, found.accepted) == (False, False)
    spent = found.metrics.efficiency
    assert (spent.rounds, spent.rounds_least, spent.calls, spent.calls_least) == (3, 2, 14, 9)
    assert 0 < (spent.tokens_least or 0) < (spent.tokens or 0)


def test_a_panel_without_validators(tmp_path: Path) -> None:
    personas = [
        {"name": name, "stands_for": "s", "question": "q", "instructions": "i"}
        for name in ("Ann", "Bo", "Åsa / 2", "!!")
    ]
    result, model = panel(tmp_path, personas=personas, required_validators=0)
    assert {request.agent for request in model.requests} == {"ann", "bo", "åsa-2", "persona"}
    assert outcome(result).decision == "accept"
    assert outcome(result).key_points == []
    assert_sound(moot.find_run(result.run))


def test_two_validators_rule_unseen_by_each_other(tmp_path: Path) -> None:
    def seat(name: str, validator: bool) -> dict[str, Any]:
        return {"name": name, "validator": validator, "stands_for": "s", "question": "q", "instructions": "i"}

    personas = [seat("Ann", False), seat("Val", True), seat("Vic", True)]
    said: dict[str, Said] = {"vic/rule/2": ruling("reject"), "vic/rule/3": ruling("accept", reasoning="Now I see.")}
    result, model = panel(tmp_path, said, personas=personas, required_validators=2)
    assert outcome(result).rounds_taken == 3
    assert outcome(result).decision == "accept"
    assert "All things weighed." not in texts(model, "val/rule/2").split("<<<end")[0]
    assert "Now I see." not in texts(model, "val/rule/3")


def test_dissent_and_conclusions(tmp_path: Path) -> None:
    said = labels("accept", "accept", "reject", "accept") | rules("accept", modifications_required=["Measure first."])
    said |= {"critic/round/2": opinion("reject", claim="It will not scale.", confidence=0.9)}
    result, _ = panel(tmp_path, said)
    found = outcome(result)
    assert [(one.persona, one.opinion) for one in found.dissenting_opinions] == [
        ("Critic", "reject: It will not scale.")
    ]
    assert (found.key_points, found.next_steps) == (["It is small."], ["Begin."])
    assert found.modifications_required == ["Measure first."]
    assert found.confidence == pytest.approx((0.5 * 3.0 + 0.8 * 1.5) / 4.5, abs=1e-4)


def test_accepted_ideas_are_shown(tmp_path: Path) -> None:
    _, model = panel(tmp_path, accepted=["An older idea.", "x" * 2000])
    for who in (*PANELLISTS, "validator"):
        prompt = next(request for request in model.requests if request.agent == who).messages[-1].content
        assert "An older idea." in prompt
        assert "x […]" in prompt
        assert "x" * 700 not in prompt


def test_on_accept_is_called_with_the_idea_and_awaited(tmp_path: Path) -> None:
    heard: list[str] = []

    async def later(idea: str, result: moot.Result) -> None:
        await turns()
        heard.append(f"{idea} {outcome(result).decision}")

    panel(tmp_path, on_accept=later)
    assert heard == [f"{IDEA} accept"]
    panel(tmp_path, on_accept=lambda idea, _: heard.append(idea))
    assert heard[1:] == [IDEA]
    panel(tmp_path, labels(*["reject"] * 4) | rules("reject"), on_accept=lambda idea, _: heard.append(idea))
    assert len(heard) == 2
    panel(
        tmp_path,
        labels(*["reject"] * 4) | rules("reject"),
        require="reject",
        on_accept=lambda idea, _: heard.append("!"),
    )
    assert heard[2:] == ["!"], "what is required is what is accepted"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kind": "taste"}, "there is no kind 'taste'"),
        ({"require": "maybe"}, "`require` is 'maybe'; a selection decides accept, modify, reject"),
        ({"truth": "easy"}, "`truth` is 'easy'"),
        ({"required_validators": 2}, "the panel has 1"),
        ({"max_rounds": 1}, "selection needs 2 rounds"),
        ({"persona_weights": {"Nobody": 1}}, "names 'Nobody'"),
        ({"persona_weights": {"Critic": -1}}, "persona_weights.Critic"),
        ({"persona_weights": dict.fromkeys((*PANELLISTS, "Validator"), 0)}, "somebody must have a weight above 0"),
        ({"persona_weights": {"Critic": "NaN"}}, "persona_weights.Critic"),
        (
            {"kinds": {"mine": {"question": "q", "labels": {"a": "x", "no_consensus": "y"}, "criteria": "c"}}},
            "no_consensus",
        ),
        (
            {"kinds": {"mine": {"question": "q", "labels": {"a": "x", "b": "y"}, "criteria": "c", "passes": "c"}}},
            "passes",
        ),
        ({"idea": ""}, "idea"),
        (
            {"personas": [{"name": "Reviser", "stands_for": "s", "question": "q", "instructions": "i"}]},
            "part in the script",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(moot.ConfigError, match=message):
        moot.configure("panel", **({"idea": IDEA} | keys))


def test_a_threshold_is_the_number_that_was_written() -> None:
    kind = {"question": "q", "labels": {"a": "x", "b": "y"}, "criteria": "c", "agreement": 0.1}
    config = moot.configure(
        "panel", idea=IDEA, kind="mine", kinds={"mine": kind}, persona_weights={"Critic": 0.3}
    ).debate
    assert isinstance(config, PanelConfig)
    assert config.rules.threshold == Decimal("0.1")
    assert config.persona_weights["Critic"] == Decimal("0.3")
    unset = moot.configure("panel", idea=IDEA, kind="mine", kinds={"mine": {**kind, "agreement": None}}).debate
    assert isinstance(unset, PanelConfig)
    assert unset.rules.threshold == Decimal("0.6")


@pytest.mark.parametrize(
    ("idea", "title"),
    [
        ("# A heading\n\ntext", "A heading"),
        ("name: Queue\ndescription: x", "Queue"),
        ('{\n  "id": 7,\n  "name": "Queue it",\n  "x": 1\n}', "Queue it"),
        ("Plain words.\nMore.", "Plain words."),
    ],
)
def test_what_an_idea_is_called(idea: str, title: str) -> None:
    config = moot.configure("panel", idea=idea).debate
    assert isinstance(config, PanelConfig)
    assert config.topic == title


def test_in_one_round_nobody_could_answer_another(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, kinds={"selection": {"rounds": 1}}, max_rounds=1)
    assert outcome(result).changed is None
    assert result.summary.change is None
