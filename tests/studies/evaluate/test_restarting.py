"""An evaluation is taken up where it stopped, keeps to its limits, and pays for nothing twice."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.errors import ConfigError, Rejected, RunBusy
from moot.studies.evaluate import Design, Evaluation
from moot.studies.evaluate.debates import contender
from moot.testing import Scripted, ScriptedModel
from tests.kit.command import empty_place, spawn
from tests.kit.endpoint import FakeEndpoint
from tests.kit.examples import examples
from tests.kit.quiz import MODEL, Quiz, grades, journalled, numbers, pairs, row, run, short_duel, thinking, write
from tests.kit.servers import endpoint
from tests.kit.waiting import PATIENCE, wait_until

SEVEN, EIGHT = thinking("ANSWER: 7"), thinking("ANSWER: 8")
USUAL = {"Avery": SEVEN, "Blake": EIGHT, "duel": "7", "voter-1": SEVEN, "voter-2": EIGHT, "voter-3": SEVEN}
USUAL |= {"sample": SEVEN}


def quiz() -> Quiz:
    return Quiz({}, USUAL)


def test_an_interrupted_evaluation_goes_on(tmp_path: Path) -> None:
    path, first, second, duel = write(tmp_path, numbers(3)), quiz(), quiz(), short_duel(tmp_path)

    async def interrupted() -> None:
        def until_the_fortieth(request: moot.Request) -> Scripted:
            if len(first.asked) == 40:
                task.cancel()
            return first(request)

        models = {MODEL: ScriptedModel(until_the_fortieth, name=MODEL)}
        work = moot.evaluate(path, [duel], Design(seed=1), out=tmp_path / "out", model=MODEL, models=models)
        task = asyncio.create_task(work)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    kept = journalled(tmp_path / "out")
    assert kept
    found = run(second, path, [duel])
    undisturbed = run(quiz(), path, [duel], out=tmp_path / "undisturbed")
    assert [(one.question, one.method, one.grade, one.tokens, one.calls) for one in found.rows] == [
        (one.question, one.method, one.grade, one.tokens, one.calls) for one in undisturbed.rows
    ]
    assert len(second.asked) == len(journalled(tmp_path / "out")) - len(kept)


def test_an_interrupt_tells_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = empty_place(tmp_path, monkeypatch)
    write(place, pairs(3))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with endpoint() as server:
        server.hold(5)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        process = spawn("eval", "quiz.jsonl", "-m", "openai/gpt-5-mini", "--out", "my out")
        wait_until(lambda: server.held > 0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert err.decode().endswith("Interrupted. To continue: the same command with --out 'my out'\n")


def test_limits_hold_for_the_whole_evaluation(tmp_path: Path) -> None:
    path, asked = write(tmp_path, numbers(4)), quiz()
    stopped = run(asked, path, ["duel"], baselines=["single"], max_calls=50, at_once=2)
    assert len(asked.asked) <= 50
    assert stopped.reason == "the limit of 50 calls is reached (over the whole evaluation)"
    assert stopped.done < stopped.questions == 4
    again = run(asked, path, ["duel"], baselines=["single"])
    assert len(asked.asked) <= 50
    assert (again.done >= stopped.done, again.raised) == (True, "--max-calls 100")
    whole = run(asked, path, ["duel"], baselines=["single"], max_calls=1000)
    assert (whole.done, whole.reason) == (4, None)
    assert len(asked.asked) == len(journalled(tmp_path / "out")) == 4 * (2 + 30 + 1)


@examples(4)
@given(max_calls=st.integers(1, 60), stop=st.integers(1, 60))
def test_no_limit_is_exceeded_by_going_on(tmp_path_factory: pytest.TempPathFactory, max_calls: int, stop: int) -> None:
    folder = tmp_path_factory.mktemp("limits")
    path, asked = write(folder, numbers(3)), quiz()

    def stopping(request: moot.Request) -> Scripted:
        if len(asked.asked) == stop:
            raise KeyboardInterrupt
        return asked(request)

    with suppress(KeyboardInterrupt):
        run(asked, path, ["duel"], ScriptedModel(stopping, name=MODEL), baselines=["single"], max_calls=max_calls)
    run(asked, path, ["duel"], baselines=["single"])
    assert len(journalled(folder / "out")) <= max_calls


def test_a_debate_over_its_budget_has_no_answer(tmp_path: Path) -> None:
    found = run(quiz(), write(tmp_path, numbers(2)), ["duel"], baselines=["self-consistency"], budget=6_000)
    assert grades(found, "duel") == {"undecided": 2}
    assert "the budget ran out" in row(found, "Q1", "duel").detail
    assert (row(found, "Q1", "duel").tokens or 0) <= 6_000
    assert grades(found, "self-consistency@duel") == {"right": 2}
    assert found.reason is None


def test_a_failure_is_told_and_tried_again(tmp_path: Path) -> None:
    path, broken = write(tmp_path, numbers(2)), [True]
    inner = quiz()

    def script(request: moot.Request) -> Scripted:
        if broken[0] and request.key == "voter-2/answer":
            return Rejected("not today")
        return inner(request)

    model = ScriptedModel(script, name=MODEL)
    found = run(inner, path, ["duel"], model, baselines=["vote"])
    assert grades(found, "vote") == {"failed": 2}
    assert "not today" in row(found, "Q1", "vote").detail
    assert found.comparisons[0].over_all.questions == 0
    assert found.verdicts[0].finding == "cannot tell"
    assert any(note.text.startswith("Methods failed on some of 2 questions: vote on 2.") for note in found.notes)
    broken[0] = False
    before = len(inner.asked)
    assert grades(run(inner, path, ["duel"], model, baselines=["vote"]), "vote") == {"right": 2}
    # Voters after the one that failed had not been asked; those before it are not asked again.
    assert {key for _, key in inner.asked[before:]} == {"voter-2/answer", "voter-3/answer"}


def test_a_folder_holds_one_evaluation(tmp_path: Path) -> None:
    path = write(tmp_path, pairs(1))
    run(quiz(), path, ["duel"], baselines=["single"])
    with pytest.raises(ConfigError, match="holds another evaluation: its `voters` is 3, not 5"):
        run(quiz(), path, ["duel"], baselines=["single"], voters=5)
    write(tmp_path, pairs(2))
    with pytest.raises(ConfigError, match="holds another evaluation: its `sha256`"):
        run(quiz(), path, ["duel"], baselines=["single"])
    with pytest.raises(ConfigError, match="is not empty, and not an evaluation"):
        run(quiz(), path, ["duel"], out=tmp_path)


def test_two_processes_do_not_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, pairs(1))

    async def both() -> None:
        def go() -> "asyncio.Task[Evaluation]":
            return asyncio.create_task(
                moot.evaluate(path, ["duel"], Design(seed=1), out=tmp_path / "out", model="fake/one")
            )

        async with FakeEndpoint() as server:
            monkeypatch.setenv("FAKE_BASE_URL", server.url)
            server.hold()
            at_once = [go(), go()]
            [refused], [going_on] = await asyncio.wait(at_once, return_when=asyncio.FIRST_COMPLETED)
            for late in (refused, go()):
                with pytest.raises(RunBusy):
                    await late
            server.let_go()
            assert (await going_on).done == 1

    asyncio.run(both())


@pytest.mark.parametrize(
    ("protocols", "settings", "told"),
    [
        (["chaired"], {}, "a chaired debate weighs sources that it looks up"),
        (["duell"], {}, "no protocol is called 'duell'"),
        (["panel"], {}, "panel cannot be asked the question in line 1: a panel votes on options"),
        (["persuasion"], {}, "a persuasion is about one proposition"),
        (["duel", "duel"], {}, "two of the methods would be called 'duel'"),
        ([], {}, "there is no protocol"),
        (["duel"], {"baselines": ["chance"]}, "there is no baseline 'chance'"),
        (["duel"], {"roles": {"Nobody": MODEL}}, "unknown role 'Nobody'"),
        (["duel"], {"match": "regex"}, "`match` should be one of"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_and_leaves_nothing(
    tmp_path: Path, protocols: list[str], settings: dict[str, Any], told: str
) -> None:
    asked = quiz()
    with pytest.raises(ConfigError) as error:
        run(asked, write(tmp_path, numbers(1)), protocols, **settings)
    assert told in str(error.value)
    assert asked.asked == []
    assert not (tmp_path / "out").exists()


def test_a_duels_file_must_not_bring_its_own_sides(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("protocol: duel\nclaim: It is so.\n", "utf-8")
    with pytest.raises(ConfigError, match="take 'claim' out"):
        contender(str(file))
    file.write_text("protocol: duel\njudge: openai/gpt-5\n", "utf-8")
    with pytest.raises(ConfigError, match="'judge' should be a table of settings"):
        contender(str(file))


def test_first_answers_are_part_of_the_budget(tmp_path: Path) -> None:
    agreed = Quiz({}, {**USUAL, "Blake": SEVEN})
    found = run(agreed, write(tmp_path, numbers(1)), ["duel"], baselines=["single"], budget=100)
    assert (grades(found, "duel"), row(found, "Q1", "duel").tokens) == ({"undecided": 1}, 0)
    assert "the budget ran out: 0 of 100 tokens are used" in row(found, "Q1", "duel").detail
    assert grades(found, "single") == {"right": 1}
    assert found.reason is None
