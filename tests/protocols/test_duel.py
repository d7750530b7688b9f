"""The duel, driven through the public API and judged by its log."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import ModelError, Rejected
from moot.protocols.duel.config import DuelConfig
from moot.protocols.duel.payloads import DuelHeader, Score, Turn, Verdict
from moot.protocols.duel.result import DuelOutcome
from moot.record.payloads import Header
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import ADA, BO, CAST, KIM, answer_for, duel, full_script, take_up
from tests.kit.runs import asked, entries


def outcome(result: moot.Result) -> DuelOutcome:
    assert isinstance(result.outcome, DuelOutcome)
    return result.outcome


def verdict(result: moot.Result) -> Verdict:
    data = entries(result)[-1].data
    assert isinstance(data, Verdict)
    return data


def script_order(turns: int) -> list[tuple[str, str]]:
    order = [("header", "moot"), ("plan", "Ada"), ("plan", "Bo")]
    for number in range(1, turns + 1):
        speaker = "Ada" if number % 2 else "Bo"
        order += [("think", speaker), ("turn", speaker), ("think", "Kim"), ("score", "Kim")]
    return [*order, ("think", "Kim"), ("verdict", "Kim")]


@pytest.mark.parametrize("turns", range(2, 13))
def test_calls_chain_and_order(tmp_path: Path, turns: int) -> None:
    result, model = duel(tmp_path, turns=turns)
    assert result.status == "done"
    assert len(model.requests) == 4 * turns + 6 == result.spent.calls
    assert result.longest_chain == 2 * turns + 7
    assert [(entry.type, entry.speaker) for entry in entries(result)] == script_order(turns)


@pytest.mark.parametrize("turns", [2, 3, 6])
def test_without_a_judge(tmp_path: Path, turns: int) -> None:
    result, model = duel(tmp_path, turns=turns, debaters=CAST["debaters"], judge=None, jury=0)
    assert len(model.requests) == 2 * turns + 2
    assert {entry.type for entry in entries(result)} == {"header", "plan", "think", "turn"}
    assert outcome(result).winner is None


def test_the_header(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, turns=3)
    header = entries(result)[0].data
    assert isinstance(header, DuelHeader)
    assert (header.topic, header.claim, header.turns) == ("Is it so?", "It is so.", 3)
    assert [(one.id, one.name, one.role, one.side) for one in header.cast] == [
        ("A", "Ada", "debater", "for"),
        ("B", "Bo", "debater", "against"),
        ("judge", "Kim", "judge", None),
    ]
    assert len({one.colour for one in header.cast}) == 3
    assert [flag.code for flag in header.flags] == ["odd_turns", "scripted_replies"]
    assert [flag.code for flag in result.flags if flag in header.flags] == ["odd_turns", "scripted_replies"]


def test_without_a_claim_each_has_a_side_all_the_same(tmp_path: Path) -> None:
    _, model = duel(tmp_path, turns=2, topic="How should we cut the build time?", claim=None, kind="open")
    systems = {request.agent: request.messages[0].content for request in model.requests}
    assert "Choose one clear thesis that answers the topic, begin your opening with it" in systems["A"]
    assert "Ada opens with a thesis that answers the topic. You oppose it" in systems["B"]
    assert "Ada states a thesis in the opening, and Bo opposes it." in systems["judge"]


@pytest.mark.parametrize("margin", [None, "narrow", "decisive"])
def test_the_judge_says_how_clear_it_is(tmp_path: Path, margin: str | None) -> None:
    figures: dict[str, Any] = {"scores": {"Ada": 7, "Bo": 6}, "winner": "Ada"} | ({"margin": margin} if margin else {})
    result, model = duel(tmp_path, {"judge@verdict/extract": figures}, turns=2)
    assert "`narrow` when a fair judge could as well have named the other" in asked(model, "judge@verdict/extract")
    assert outcome(result).margin == verdict(result).margin == margin
    assert bool(result.summary.brief.firmness) is (margin is not None)


def test_without_a_judge_nobody_is_said_to_decide(tmp_path: Path) -> None:
    _, model = duel(tmp_path, turns=2, judge=None)
    assert all("No judge decides" in request.messages[0].content for request in model.requests)


def test_what_each_prompt_carries(tmp_path: Path) -> None:
    _, model = duel(tmp_path, turns=6)
    topic, claim = "Is it so?", "It is so."
    for request in model.requests:
        told = [message.content for message in request.messages]
        assert topic in told[0]
        assert claim in told[0]
        assert not any(topic in one for one in told[1:]), "once is enough"
    for number in range(2, 7):
        speaker, other = ("B", "A") if number % 2 == 0 else ("A", "B")
        assert f"Statement {number - 1}, by {other}." in asked(model, f"{speaker}/think/{number}")
        final = number >= 5
        assert ("last" in asked(model, f"{speaker}/think/{number}")) is final
        assert ("sum up" in asked(model, f"{speaker}/turn/{number}")) is final
        assert ("No new arguments" in asked(model, f"{speaker}/turn/{number}")) is final
        assert "at most 40 words" in asked(model, f"{speaker}/think/{number}")
    for number in range(1, 7):
        speaker, name = ("B", "Bo") if number % 2 == 0 else ("A", "Ada")
        weigh = asked(model, f"judge/evaluate/{number}")
        assert f"Statement {number}, by {speaker}." in weigh
        assert f"turn {number} by {name}" in weigh
        assert "Your ledger, at most 20 words." in weigh
        score = asked(model, f"judge/score/{number}")
        assert name in score
        assert ("first impression" in score) is (number <= 2)
        assert ("running score" in score) is (number > 2)
    assert "Ada argued FOR and Bo argued AGAINST the claim: It is so." in asked(model, "judge/deliberate")
    assert "Recorded as the stronger case: that of Ada." in asked(model, "judge/announce")


def test_the_judge_answers_whoever_asked(tmp_path: Path) -> None:
    reasons: list[Any] = [
        {"reason": "It was shown.", "rests_on": ["1", 2, "9", "Bo"]},
        {"reason": "And it was said again.", "rests_on": 3},
        "It stands to reason.",
    ]
    reply = answer_for("Ada", "Yes: do it.", because=reasons, objection=["It costs.", "It is late."], agreed=None)
    result, model = duel(tmp_path, {"judge/announce": reply}, turns=4)
    assert "answer the question that was asked" in asked(model, "judge/announce")
    last, turns = entries(result)[-1], {one.data.turn: one.seq for one in entries(result) if isinstance(one.data, Turn)}
    brief = result.summary.brief
    assert (brief.answer, brief.source, result.summary.headline) == ("Yes: do it.", last.seq, "Yes: do it (8 to 6)")
    assert [point.entries for point in brief.because] == [[turns[1], turns[2]], [turns[3]], []], "as far as they exist"
    assert brief.objection is not None and brief.objection.text == "It costs. It is late."
    assert brief.agreed is None, "nobody said anything of the kind"
    assert last.content.startswith("Yes: do it.\n\nBecause: It was shown.")
    assert outcome(result).judge == "Kim"
    assert len(model.requests) == 4 * 4 + 6


@pytest.mark.parametrize("follows", ["Bo", "neither"])
def test_an_answer_against_the_verdict_is_sent_back_once_and_then_flagged(tmp_path: Path, follows: str) -> None:
    wrong, right = answer_for(follows, "No."), answer_for("Ada", "Yes.")
    mended, model = duel(tmp_path, {"judge/announce": [wrong, right]}, turns=2)
    assert (
        f"`answer` follows {follows}, and Ada won"
        in [one for one in model.requests if one.attempt == 2][-1].messages[-1].content
    )
    assert mended.summary.brief.answer == "Yes."
    assert "answer_contradicts_verdict" not in {flag.code for flag in mended.flags}
    stubborn, _ = duel(tmp_path, {"judge/announce": [wrong, wrong]}, turns=2)
    assert stubborn.summary.brief.answer == stubborn.summary.headline == "Upheld: It is so (8 to 6)"
    assert stubborn.summary.brief.because == [], "for an answer that the verdict does not bear out"
    assert "answer_contradicts_verdict" in {flag.code for flag in stubborn.flags}


def test_word_limits_are_those_of_the_config(tmp_path: Path) -> None:
    _, model = duel(tmp_path, turns=4, words=75)
    for key in ("A/turn/1", "B/turn/2", "A/turn/3", "B/turn/4"):
        assert "at most 75 words" in asked(model, key)


@pytest.mark.parametrize("name", ["Ada\u200b", "\uff21da", "ADA"])
def test_names_that_look_the_same_are_the_same(name: str) -> None:
    with pytest.raises(moot.ConfigError, match="names must be unique"):
        moot.configure("duel", topic="T", debaters=[ADA, {**BO, "name": name}])


def test_whoever_has_lost_in_their_name_can_win(tmp_path: Path) -> None:
    poet = {**ADA, "name": "The Lost Poet"}
    figures: Scripted = {"winner": "The Lost Poet", "scores": {"The Lost Poet": 8, "Bo": 6}}
    replies: dict[str, Any] = {
        "judge@verdict/confirm": "The Lost Poet",
        "judge@verdict/extract": figures,
        "judge/announce": answer_for("The Lost Poet"),
    }
    result, _ = duel(tmp_path, replies, debaters=[poet, BO])
    assert (verdict(result).confirmed, verdict(result).follows) == (True, "The Lost Poet")


def test_without_a_claim_nobody_is_told_a_side(tmp_path: Path) -> None:
    result, model = duel(tmp_path, turns=2, claim=None, kind="open")
    assert not any(word in request.messages[-1].content for request in model.requests for word in ("FOR", "AGAINST"))
    assert outcome(result).upheld is None


def test_private_and_public(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, turns=2)
    for entry in entries(result):
        private = entry.type in ("plan", "think", "score")
        assert entry.to == ([entry.speaker] if private else "all")


def test_references(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, turns=4)
    log = entries(result)
    turns = [entry for entry in log if isinstance(entry.data, Turn)]
    assert [turn.rebuttal_to_seq for turn in turns] == [None, *(turn.seq for turn in turns[:-1])]
    assert [entry.target_seq for entry in log if isinstance(entry.data, Score)] == [turn.seq for turn in turns]
    assert [turn.data.final for turn in turns if isinstance(turn.data, Turn)] == [False, False, True, True]


def test_a_bad_score_goes_back_with_its_fault(tmp_path: Path) -> None:
    bad: list[Scripted] = ["seven, I think", {"score": 12, "reasoning": "generous"}, {"score": 9, "reasoning": "fine"}]
    result, model = duel(tmp_path, {"judge/score/1": bad}, turns=2)
    tries = [request for request in model.requests if request.key == "judge/score/1"]
    assert len(tries) == 3
    assert "no complete JSON object" in tries[1].messages[-1].content
    assert "`score`" in tries[2].messages[-1].content
    assert outcome(result).running_scores["Ada"] == [9]
    assert result.spent.calls == 4 * 2 + 6 + 2


def test_a_score_that_cannot_be_had_is_null_with_its_reason(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, {"judge/score/3": ["?", "??", "???"]}, turns=4)
    score = next(entry.data for entry in entries(result) if isinstance(entry.data, Score) and entry.data.turn == 3)
    assert (score.score, score.reasoning) == (None, None)
    assert "no usable reply in 3 tries" in (score.failure or "")
    assert outcome(result).running_scores["Ada"] == [5, None]
    assert any("no usable reply" in failure.reason for failure in result.failures)


@pytest.mark.parametrize("reply", ["Both Ada and Bo", "Adam", "neither", "I cannot choose."])
def test_an_unclear_confirmation_confirms_nobody(tmp_path: Path, reply: str) -> None:
    result, model = duel(tmp_path, {"judge@verdict/confirm": reply}, turns=2)
    assert verdict(result).confirmed is False
    assert outcome(result).confirmed is False
    assert verdict(result).winner == "Ada", "either name will do, and the figures name Ada"
    schema = next(request for request in model.requests if request.key == "judge@verdict/extract").schema
    assert schema is not None
    assert schema["properties"]["winner"]["enum"] == ["Ada", "Bo"]


def test_the_extracted_winner_must_be_the_confirmed_one(tmp_path: Path) -> None:
    wrong: Scripted = {"winner": "Bo", "scores": {"Ada": 8, "Bo": 6}}
    right: Scripted = {"winner": "Ada", "scores": {"Ada": 8, "Bo": 6}}
    result, model = duel(tmp_path, {"judge@verdict/extract": [wrong, right]}, turns=2)
    retry = [request for request in model.requests if request.key == "judge@verdict/extract"][1]
    assert "`winner`" in retry.messages[-1].content
    assert verdict(result).winner == "Ada"


@pytest.mark.parametrize(
    ("figures", "field"),
    [
        ({"winner": "Ada", "scores": {"Ada": 8}}, "`scores.Bo`"),
        ({"winner": "Ada", "scores": {"Ada": 8, "Bo": 6.5}}, "`scores.Bo`"),
        ({"winner": "Ada", "scores": {"Ada": 80, "Bo": 6}}, "`scores.Ada`"),
        ({"winner": "Ada"}, "`scores`"),
    ],
)
def test_figures_that_fail_name_the_field_and_fall_back_to_running_scores(
    tmp_path: Path, figures: Scripted, field: str
) -> None:
    result, model = duel(tmp_path, {"judge@verdict/extract": [figures] * 3}, turns=4)
    assert (
        field
        in [request for request in model.requests if request.key == "judge@verdict/extract"][1].messages[-1].content
    )
    found = verdict(result)
    assert (found.winner, found.confirmed, found.scores_from) == ("Ada", True, "running")
    assert found.scores == {"Ada": 7, "Bo": 8}
    assert found.failure


def test_no_confirmation_and_no_figures_leave_no_winner(tmp_path: Path) -> None:
    result, model = duel(tmp_path, {"judge@verdict/confirm": "hm", "judge@verdict/extract": ["a", "b", "c"]}, turns=2)
    assert (verdict(result).winner, verdict(result).upheld) == (None, None)
    assert "No winner could be established" in asked(model, "judge/announce")
    assert (result.summary.decided, result.summary.brief.answer) == (False, None), "nobody's answer is the debate's"


def test_scores_that_contradict_the_winner_are_flagged_and_kept(tmp_path: Path) -> None:
    figures: Scripted = {"winner": "Ada", "scores": {"Ada": 3, "Bo": 9}}
    result, _ = duel(tmp_path, {"judge@verdict/extract": figures}, turns=2)
    assert verdict(result).scores_contradict_winner is True
    assert verdict(result).scores == {"Ada": 3, "Bo": 9}


@pytest.mark.parametrize(("winner", "upheld"), [("Ada", True), ("Bo", False)])
def test_the_claim_is_upheld_when_its_side_wins(tmp_path: Path, winner: str, upheld: bool) -> None:
    figures: Scripted = {"winner": winner, "scores": {"Ada": 5, "Bo": 5}}
    result, _ = duel(tmp_path, {"judge@verdict/confirm": winner, "judge@verdict/extract": figures}, turns=2)
    assert outcome(result).upheld is upheld
    assert outcome(result).winner == winner


def test_sides_can_be_given(tmp_path: Path) -> None:
    result, model = duel(tmp_path, turns=2, debaters=[{**ADA, "side": "against"}, BO])
    assert "AGAINST" in model.requests[0].messages[0].content
    assert outcome(result).upheld is False, "Ada won, against the claim"


def test_a_premise_alone_is_the_topic_too() -> None:
    config = moot.configure("duel", claim="Cats rule.").debate
    assert isinstance(config, DuelConfig)
    assert (config.topic, config.claim) == ("Cats rule.", "Cats rule.")


def test_a_file_without_a_topic_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "debate.yaml"
    file.write_text("protocol: duel\nturns: 4\n", "utf-8")
    with pytest.raises(moot.ConfigError, match="topic"):
        moot.configure(file=file)


@pytest.mark.parametrize("name", ["A", "b", "Judge", "moot"])
def test_nobody_is_called_like_a_part(name: str) -> None:
    with pytest.raises(moot.ConfigError, match="part in the script"):
        moot.configure("duel", topic="T", debaters=[{**ADA, "name": name}, BO])


POOLS: dict[str, Any] = {
    "for": [{**ADA, "name": name} for name in ("Ada", "Abe", "Amy")],
    "against": [{**BO, "name": name} for name in ("Bo", "Ben", "Bea")],
    "judges": [{**KIM, "name": name} for name in ("Kim", "Kai")],
}


def cast_of(config: moot.RunConfig) -> tuple[str, ...]:
    planned = asyncio.run(moot.plan(config))
    return tuple(planned.models)


def test_pools_are_drawn_by_the_seed() -> None:
    draws = [cast_of(moot.configure("duel", topic="T", seed=seed, **POOLS)) for seed in range(40)]
    again = [cast_of(moot.configure("duel", topic="T", seed=seed, **POOLS)) for seed in range(5)]
    assert draws[:5] == again
    assert len(set(draws)) > 9, "both pools and the judges are drawn from"
    assert all(a.startswith("A") and b.startswith("B") and judge.startswith("K") for a, b, judge in draws)


def test_a_random_order_moves_persona_and_side_together(tmp_path: Path) -> None:
    openers = set()
    for seed in range(12):
        config = moot.configure("duel", topic="T", claim="P", order="random", seed=seed, **CAST)
        openers.add(cast_of(config)[0])
    assert openers == {"Ada", "Bo"}
    result, _ = duel(tmp_path, turns=2, order="random")
    header = entries(result)[0].data
    assert isinstance(header, Header)
    assert {one.name: one.side for one in header.cast if one.role == "debater"} == {"Ada": "for", "Bo": "against"}


def test_a_debater_that_cannot_answer_stops_the_duel_and_it_can_be_resumed(tmp_path: Path) -> None:
    failure: ModelError = Rejected("no such model")
    result, _ = duel(tmp_path, {"B/turn/2": failure}, turns=4)
    assert (result.status, outcome(result).winner) == ("failed", None)
    assert "no such model" in (result.reason or "")
    assert any("no such model" in one.reason for one in result.failures)
    model = ScriptedModel(full_script(4))
    again = take_up(moot.find_run(result.run), model)
    assert again.status == "done"
    assert not {"A/plan", "B/plan", "A/turn/1"} & {request.key for request in model.requests}
    assert again.spent.calls == 4 * 4 + 6


def test_each_argues_for_one_of_two_and_the_result_names_it(tmp_path: Path) -> None:
    figures: Scripted = {"winner": "Bo", "scores": {"Ada": 5, "Bo": 7}}
    replies: dict[str, Any] = {
        "judge@verdict/confirm": "Bo",
        "judge@verdict/extract": figures,
        "judge/announce": answer_for("Bo", "MySQL."),
    }
    model = ScriptedModel({**full_script(2), **replies})
    config = moot.configure(
        "duel",
        topic="Postgres or MySQL?",
        options=["Postgres", "MySQL"],
        turns=2,
        model=model.name,
        out=str(tmp_path),
        **CAST,
    )
    result = asyncio.run(moot.run(config, models={model.name: model}))
    systems = {request.agent: request.messages[0].content for request in model.requests}
    assert "You argue for: “Postgres”\nBo argues for: “MySQL”\n" in systems["A"]
    assert "You argue for: “MySQL”\nAda argues for: “Postgres”\n" in systems["B"]
    assert "Ada argues for “Postgres” and Bo argues for “MySQL”." in systems["judge"]
    assert "Ada argued for “Postgres” and Bo argued for “MySQL”." in asked(model, "judge/deliberate")
    assert (outcome(result).winner, outcome(result).option) == ("Bo", "MySQL")
    assert result.summary.headline == "MySQL (7 to 5)"
    assert "Bo made the stronger case, for MySQL." in (result.summary.reached or "")
    assert "upheld" not in (result.summary.reached or "")


EXAMPLES = [
    file
    for file in sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
    if "protocol: duel" in (text := file.read_text("utf-8")) and "\ngrid:" not in text
]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.stem)
def test_the_examples_are_sound(file: Path) -> None:
    config = moot.configure(file=file, model="scripted/replies")
    planned = asyncio.run(moot.plan(config))
    assert planned.calls == 4 * json.loads(config.debate.model_dump_json())["turns"] + 6
