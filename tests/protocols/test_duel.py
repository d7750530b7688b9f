"""The duel, driven through the public API and judged by its log."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import Rejected
from moot.protocols.duel.payloads import DuelHeader, Score, Turn, Verdict
from moot.protocols.duel.result import DuelOutcome
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import ADA, BO, CAST, KIM, Replies, answer_for, duel, full_script, take_up
from tests.kit.runs import asked, entries

EXTRACT, CONFIRM = "judge@verdict/extract", "judge@verdict/confirm"


def outcome(result: moot.Result) -> DuelOutcome:
    assert isinstance(result.outcome, DuelOutcome)
    return result.outcome


def verdict(result: moot.Result) -> Verdict:
    data = entries(result)[-1].data
    assert isinstance(data, Verdict)
    return data


def header(result: moot.Result) -> DuelHeader:
    data = entries(result)[0].data
    assert isinstance(data, DuelHeader)
    return data


def won(winner: str, ada: int = 5, bo: int = 5, **more: Any) -> Replies:
    """The judge's replies for this winner and these final scores."""
    names = {"Ada": ada, "Bo": bo}
    return {CONFIRM: winner, EXTRACT: {"winner": winner, "scores": names, **more}, "judge/announce": answer_for(winner)}


def systems(model: ScriptedModel) -> dict[str, str]:
    return {request.agent: request.messages[0].content for request in model.requests}


def codes(result: moot.Result) -> set[str]:
    return {flag.code for flag in result.flags}


# The script


def script_order(turns: int) -> list[tuple[str, str]]:
    order = [("header", "moot"), ("plan", "Ada"), ("plan", "Bo")]
    for number in range(1, turns + 1):
        speaker = "Ada" if number % 2 else "Bo"
        order += [("think", speaker), ("turn", speaker), ("think", "Kim"), ("score", "Kim")]
    return [*order, ("think", "Kim"), ("verdict", "Kim")]


@pytest.mark.parametrize("turns", range(2, 13))
def test_the_script(tmp_path: Path, turns: int) -> None:
    result, model = duel(tmp_path, turns=turns)
    log = entries(result)
    assert len(model.requests) == 4 * turns + 6 == result.spent.calls
    assert result.longest_chain == 2 * turns + 7
    assert [(entry.type, entry.speaker) for entry in log] == script_order(turns)
    for entry in log:
        assert entry.to == ([entry.speaker] if entry.type in ("plan", "think", "score") else "all")
    spoken = [entry for entry in log if isinstance(entry.data, Turn)]
    assert [one.rebuttal_to_seq for one in spoken] == [None, *(one.seq for one in spoken[:-1])]
    assert [one.target_seq for one in log if isinstance(one.data, Score)] == [one.seq for one in spoken]
    finals = [one.data.final for one in spoken if isinstance(one.data, Turn)]
    assert finals == [number > 1 and number >= turns - 1 for number in range(1, turns + 1)]


@pytest.mark.parametrize("turns", [2, 3, 6])
def test_without_a_judge(tmp_path: Path, turns: int) -> None:
    result, model = duel(tmp_path, turns=turns, judge=None)
    assert len(model.requests) == 2 * turns + 2
    assert {entry.type for entry in entries(result)} == {"header", "plan", "think", "turn"}
    assert outcome(result).winner is None
    assert all("No judge decides" in system for system in systems(model).values())


def test_the_header(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, turns=3)
    found = header(result)
    assert (found.topic, found.claim, found.turns) == ("Is it so?", "It is so.", 3)
    cast = [(one.id, one.name, one.role, one.side) for one in found.cast]
    assert cast[:2] == [("A", "Ada", "debater", "for"), ("B", "Bo", "debater", "against")]
    assert cast[2:] == [("judge", "Kim", "judge", None)]
    assert len({one.colour for one in found.cast}) == 3
    assert (
        [flag.code for flag in found.flags] == ["odd_turns", "scripted_replies"] == [flag.code for flag in result.flags]
    )


def test_what_each_prompt_carries(tmp_path: Path) -> None:
    _, model = duel(tmp_path, turns=6, words=75)
    for request in model.requests:
        system, *told = (message.content for message in request.messages)
        assert "Is it so?" in system and "It is so." in system
        assert not any("Is it so?" in one for one in told), "once is enough"
    for number in range(1, 7):
        speaker, other, name = ("A", "B", "Ada") if number % 2 else ("B", "A", "Bo")
        assert "at most 75 words" in asked(model, f"{speaker}/turn/{number}")
        assert f"Statement {number}, by {speaker}." in asked(model, f"judge/evaluate/{number}")
        assert name in asked(model, f"judge/score/{number}")
        if number > 1:
            assert f"Statement {number - 1}, by {other}." in asked(model, f"{speaker}/think/{number}")
            assert ("sum up" in asked(model, f"{speaker}/turn/{number}")) is (number >= 5)
    assert "Ada argued FOR and Bo argued AGAINST the claim: It is so." in asked(model, "judge/deliberate")
    assert "Recorded as the stronger case: that of Ada." in asked(model, "judge/announce")


def test_an_open_question_has_a_thesis_for_a_side(tmp_path: Path) -> None:
    result, model = duel(tmp_path, claim=None, kind="open")
    assert "Ada states a thesis in the opening, and Bo opposes it." in systems(model)["judge"]
    assert {one.side for one in header(result).cast} == {None}
    assert outcome(result).upheld is None


def test_each_argues_for_one_of_two_and_the_result_names_it(tmp_path: Path) -> None:
    replies = won("Bo", 5, 7) | {"judge/announce": answer_for("Bo", "MySQL.")}
    options: dict[str, Any] = {"topic": "Postgres or MySQL?", "claim": None, "options": ["Postgres", "MySQL"]}
    result, model = duel(tmp_path, replies, **options)
    told = systems(model)
    assert "You argue for: “Postgres”\nBo argues for: “MySQL”\n" in told["A"]
    assert "You argue for: “MySQL”\nAda argues for: “Postgres”\n" in told["B"]
    assert "Ada argues for “Postgres” and Bo argues for “MySQL”." in told["judge"]
    assert (outcome(result).winner, outcome(result).option, outcome(result).claim) == ("Bo", "MySQL", None)
    assert result.summary.headline == "MySQL (7 to 5)"
    assert "Bo made the stronger case, for MySQL." in result.summary.reached


# The verdict


@pytest.mark.parametrize("margin", [None, "narrow", "decisive"])
def test_the_judge_says_how_clear_it_is(tmp_path: Path, margin: str | None) -> None:
    result, _ = duel(tmp_path, won("Ada", 7, 6, **({"margin": margin} if margin else {})))
    assert outcome(result).margin == verdict(result).margin == margin
    assert bool(result.summary.brief.firmness) is (margin is not None)


def test_the_judge_answers_whoever_asked(tmp_path: Path) -> None:
    reasons: list[Any] = [
        {"reason": "It was shown.", "rests_on": ["1", 2, "9", "Bo"]},
        {"reason": "And it was said again.", "rests_on": 3},
        "It stands to reason.",
    ]
    reply = answer_for("Ada", "Yes: do it.", because=reasons, objection=["It costs.", "It is late."], agreed=None)
    result, _ = duel(tmp_path, {"judge/announce": reply}, turns=4)
    last, turns = entries(result)[-1], {one.data.turn: one.seq for one in entries(result) if isinstance(one.data, Turn)}
    brief = result.summary.brief
    assert (brief.answer, brief.source, result.summary.headline) == ("Yes: do it.", last.seq, "Yes: do it (8 to 6)")
    assert [point.entries for point in brief.because] == [[turns[1], turns[2]], [turns[3]], []], "as far as they exist"
    assert brief.objection is not None and brief.objection.text == "It costs. It is late."
    assert brief.agreed is None, "nobody said anything of the kind"
    assert last.content.startswith("Yes: do it.\n\nBecause: It was shown.")


@pytest.mark.parametrize("follows", ["Bo", "neither"])
def test_an_answer_against_the_verdict_is_sent_back_once_and_then_flagged(tmp_path: Path, follows: str) -> None:
    wrong, right = answer_for(follows, "No."), answer_for("Ada", "Yes.")
    mended, model = duel(tmp_path, {"judge/announce": [wrong, right]})
    again = [request for request in model.requests if request.attempt == 2]
    assert f"`answer` follows {follows}, and Ada won" in again[-1].messages[-1].content
    assert mended.summary.brief.answer == "Yes." and "answer_contradicts_verdict" not in codes(mended)
    stubborn, _ = duel(tmp_path, {"judge/announce": [wrong, wrong]})
    assert stubborn.summary.brief.answer == stubborn.summary.headline == "Upheld: It is so (8 to 6)"
    assert stubborn.summary.brief.because == [], "for an answer that the verdict does not bear out"
    assert "answer_contradicts_verdict" in codes(stubborn)


def test_a_score_is_asked_for_twice_and_then_null_with_its_reason(tmp_path: Path) -> None:
    bad: list[Scripted] = [{"score": 12, "reasoning": "generous"}, {"score": 9, "reasoning": "fine"}]
    result, model = duel(tmp_path, {"judge/score/1": bad, "judge/score/3": ["?", "??"]}, turns=4)
    tries = [request for request in model.requests if request.key == "judge/score/1"]
    assert len(tries) == 2 and "`score`" in tries[1].messages[-1].content
    assert result.spent.calls == 4 * 4 + 6 + 1 + 1
    assert outcome(result).running_scores["Ada"] == [9, None]
    score = next(one.data for one in entries(result) if isinstance(one.data, Score) and one.data.turn == 3)
    assert (score.score, score.reasoning) == (None, None) and "no usable reply in 2 tries" in (score.failure or "")
    assert any("no usable reply" in failure.reason for failure in result.failures)


@pytest.mark.parametrize("reply", ["Both Ada and Bo", "Adam", "neither", "I cannot choose."])
def test_an_unclear_confirmation_confirms_nobody(tmp_path: Path, reply: str) -> None:
    result, model = duel(tmp_path, {CONFIRM: reply})
    assert (verdict(result).confirmed, verdict(result).winner) == (False, "Ada"), "the one of the figures"
    schema = next(request for request in model.requests if request.key == EXTRACT).schema
    assert schema is not None and schema["properties"]["winner"]["enum"] == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("figures", "field"),
    [
        ({"winner": "Ada", "scores": {"Ada": 8}}, "`scores.Bo`"),
        ({"winner": "Ada", "scores": {"Ada": 8, "Bo": 6.5}}, "`scores.Bo`"),
        ({"winner": "Ada", "scores": {"Ada": 80, "Bo": 6}}, "`scores.Ada`"),
        ({"winner": "Ada"}, "`scores`"),
        ({"winner": "Bo", "scores": {"Ada": 8, "Bo": 6}}, "`winner`"),
    ],
)
def test_figures_that_fail_name_the_field_and_fall_back_to_running_scores(
    tmp_path: Path, figures: Scripted, field: str
) -> None:
    result, model = duel(tmp_path, {EXTRACT: [figures] * 3}, turns=4)
    assert field in [request for request in model.requests if request.key == EXTRACT][1].messages[-1].content
    found = verdict(result)
    assert (found.winner, found.confirmed, found.scores_from) == ("Ada", True, "running")
    assert found.scores == {"Ada": 7, "Bo": 8} and found.failure


def test_no_confirmation_and_no_figures_leave_no_winner(tmp_path: Path) -> None:
    result, model = duel(tmp_path, {CONFIRM: "hm", EXTRACT: ["a", "b", "c"]})
    assert (verdict(result).winner, verdict(result).upheld) == (None, None)
    assert "No winner could be established" in asked(model, "judge/announce")
    assert (result.summary.decided, result.summary.brief.answer) == (False, None), "nobody's answer is the debate's"


@pytest.mark.parametrize(
    ("running", "final", "flag"),
    [
        ((8, 6), (3, 9), "scores_contradict_winner"),
        ((4, 5), (10, 0), "running_scores_contradict_winner"),
        ((5, 5), (6, 6), "scores_level"),
        ((5, 4), (10, 0), None),
    ],
)
def test_scores_against_the_winner_are_flagged_and_kept(
    tmp_path: Path, running: tuple[int, int], final: tuple[int, int], flag: str | None
) -> None:
    scores: Replies = {f"judge/score/{n}": {"score": one, "reasoning": f"{n}."} for n, one in enumerate(running, 1)}
    result, _ = duel(tmp_path, scores | won("Ada", *final))
    assert verdict(result).scores == {"Ada": final[0], "Bo": final[1]}
    told = {"scores_contradict_winner", "running_scores_contradict_winner", "scores_level"} & codes(result)
    assert told == ({flag} if flag else set())


@pytest.mark.parametrize(
    ("winner", "side", "upheld"), [("Ada", {}, True), ("Bo", {}, False), ("Ada", "against", False)]
)
def test_the_claim_is_upheld_when_its_side_wins(tmp_path: Path, winner: str, side: Any, upheld: bool) -> None:
    debaters = [{**ADA, **({"side": side} if side else {})}, BO]
    result, _ = duel(tmp_path, won(winner), debaters=debaters)
    assert (outcome(result).upheld, outcome(result).winner) == (upheld, winner)


def test_a_debater_that_cannot_answer_stops_the_duel_and_it_can_be_resumed(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, {"B/turn/2": Rejected("no such model")}, turns=4)
    assert (result.status, outcome(result).winner) == ("failed", None)
    assert "no such model" in (result.reason or "") and any("no such model" in one.reason for one in result.failures)
    model = ScriptedModel(full_script(4))
    again = take_up(moot.find_run(result.run), model)
    assert again.status == "done" and again.spent.calls == 4 * 4 + 6
    assert not {"A/plan", "B/plan", "A/turn/1"} & {request.key for request in model.requests}


# The config


@pytest.mark.parametrize("name", ["Ada\u200b", "\uff21da", "ADA", "A", "b", "Judge", "moot"])
def test_a_name_is_one_debaters_alone(name: str) -> None:
    with pytest.raises(moot.ConfigError, match=r"names must be unique|part in the script"):
        moot.configure("duel", topic="T", debaters=[ADA, {**BO, "name": name}])


def test_a_claim_alone_is_the_topic_too() -> None:
    debate: Any = moot.configure("duel", claim="Cats rule.").debate
    assert (debate.topic, debate.claim) == ("Cats rule.", "Cats rule.")


def test_a_file_without_a_topic_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "debate.yaml"
    file.write_text("protocol: duel\nturns: 4\n", "utf-8")
    with pytest.raises(moot.ConfigError, match="topic"):
        moot.configure(file=file)


POOLS: dict[str, Any] = {
    "for": [{**ADA, "name": name} for name in ("Ada", "Abe", "Amy")],
    "against": [{**BO, "name": name} for name in ("Bo", "Ben", "Bea")],
    "judges": [{**KIM, "name": name} for name in ("Kim", "Kai")],
}


def cast_of(**settings: Any) -> tuple[str, ...]:
    return tuple(asyncio.run(moot.plan(moot.configure("duel", topic="T", **settings))).models)


def test_pools_are_drawn_by_the_seed() -> None:
    draws = [cast_of(seed=seed, **POOLS) for seed in range(40)]
    assert draws[:5] == [cast_of(seed=seed, **POOLS) for seed in range(5)]
    assert len(set(draws)) > 9, "both pools and the judges are drawn from"
    assert all(a.startswith("A") and b.startswith("B") and judge.startswith("K") for a, b, judge in draws)


def test_a_random_order_moves_persona_and_side_together(tmp_path: Path) -> None:
    openers = {cast_of(claim="P", order="random", seed=seed, **CAST)[0] for seed in range(12)}
    assert openers == {"Ada", "Bo"}
    result, _ = duel(tmp_path, order="random")
    assert {one.name: one.side for one in header(result).debaters} == {"Ada": "for", "Bo": "against"}


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
