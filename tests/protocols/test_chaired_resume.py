"""A chaired debate that was stopped, killed or forked: nothing is paid for twice, and it goes on from where it was."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import Scripted, ScriptedModel
from tests.kit.chaired import ABSENT, config_of, hold, model_of, of_type, ordinary, turn
from tests.kit.duels import assert_sound, said, take_up
from tests.kit.examples import tries


@pytest.mark.parametrize("stop_at", [0, 13, 19, 7][: tries(2)])
def test_stopped_at_any_call_it_goes_on_and_pays_for_nothing_twice(tmp_path: Path, stop_at: int) -> None:
    answers = {"detractor@opening/turn": turn("opening_statement", "Against, as everybody knows.", ABSENT)}
    whole, model = hold(tmp_path, answers)
    paid = [request.key for request in model.requests]

    class Stops:
        name, small, context_window = model.name, False, None

        def __init__(self) -> None:
            self.inner, self.left = model_of(answers), stop_at

        async def ready(self) -> None:
            pass

        async def reply(self, request: moot.Request, on_text: Any = None) -> moot.ModelReply:
            if self.left == 0:
                raise moot.NotReady("stopped here")
            self.left -= 1
            return await self.inner.reply(request, on_text)

    stops = Stops()
    config = config_of(tmp_path, out=str(tmp_path / "stopped"))
    result = asyncio.run(moot.run(config, models={model.name: stops}))
    assert result.status == "failed"
    again = model_of(answers)
    run = moot.find_run(result.run)
    assert asyncio.run(moot.resume(run, models={again.name: again})).status == "done"
    before = [request.key for request in stops.inner.requests]
    assert sorted(before + [request.key for request in again.requests]) == sorted(paid)
    strip = {"sources"}
    assert [{k: v for k, v in one.items() if k not in strip} for one in said(run.entries())] == [
        {k: v for k, v in one.items() if k not in strip} for one in said(whole.entries())
    ]
    assert_sound(run)


@pytest.mark.parametrize("part", [*range(8)][:: max(1, 8 // tries(1))])
def test_killed_after_any_record_it_goes_on_from_there(tmp_path: Path, part: int) -> None:
    """With a challenge, a redaction and a question in it; the journal is cut after every eighth record."""
    answers: dict[str, Any] = {
        "promoter@r1/turn": turn("new_point", "The moon is made of old tramlines.", ABSENT),
        "detractor@r1/turn": turn("source_challenge", "Made up.", ABSENT, target_seq=9, claim="made of tramlines"),
        "audience@r1/questions": {"questions": [{"to": "promoter", "question": "Who pays?"}]},
    }
    whole, _ = hold(tmp_path, answers)
    lines = whole.journal_path.read_bytes().splitlines(keepends=True)
    for kept in range(part, len(lines), 8):
        folder = tmp_path / f"killed-{kept}"
        folder.mkdir()
        (folder / "config.yaml").write_bytes((whole.path / "config.yaml").read_bytes())
        (folder / "calls.jsonl").write_bytes(b"".join(lines[:kept]))
        run = moot.find_run(str(folder))
        paid = {record.key for record in run.records() if record.kind == "reply"}
        model = model_of(answers)
        assert take_up(run, model, reports=False).status == "done"
        assert not paid & {request.key for request in model.requests}, kept
        assert sorted(record.key for record in run.records()) == sorted(record.key for record in whole.records())
        assert [(one.type, one.content, one.target_seq) for one in run.entries()] == [
            (one.type, one.content, one.target_seq) for one in whole.entries()
        ]
        assert_sound(run)


def test_a_fork_shares_pages_and_entries_and_goes_its_own_way(tmp_path: Path) -> None:
    answers = {"detractor@opening/turn": turn("opening_statement", "Against, as everybody knows.", ABSENT)}
    run, _ = hold(tmp_path, answers)
    place = next(entry.seq for entry in of_type(run, "new_point"))
    twin = moot.fork(run, place)
    (tmp_path / "pack" / "pages.jsonl").unlink()  # the fork knows the pages that the first debate read
    other = {"promoter_case": "A.", "detractor_case": "B.", "outcome": "negative_wins", "answer": "Another day."}
    model = model_of({"chair@conclusion/decision": other})
    result = asyncio.run(moot.resume(twin, models={model.name: model}))
    assert (result.status, result.reason) == ("done", None)
    assert result.outcome.outcome == "negative_wins"  # type: ignore[union-attr]
    assert "promoter@opening/turn" not in {request.key for request in model.requests}
    same = ("type", "speaker", "content", "target_seq")
    assert [[one[key] for key in same] for one in said(twin.entries()[: place + 1])] == [
        [one[key] for key in same] for one in said(run.entries()[: place + 1])
    ]


def test_a_fork_at_every_entry_keeps_what_the_chair_saw_before_it(tmp_path: Path) -> None:
    """Looks make no entry where nothing is wrong. In the fork every look would find something."""
    run, _ = hold(tmp_path, max_rounds=1)
    entries = run.entries()
    shown = [(one.type, one.speaker, one.content, one.target_seq) for one in entries]
    for at in range(0, len(entries), max(1, 5 // tries(1))):
        twin = moot.fork(run, at, out=str(tmp_path / f"at-{at}"))
        inherited = {record.key for record in twin.records() if record.kind == "reply"}

        def strict(request: moot.Request) -> Scripted:
            found = ordinary(request)
            if not request.key.endswith("/conduct"):
                return found
            role = request.key.partition("@")[2].partition(".")[0]
            return {"breach": "ad_hominem", "words": f"The {role}", "reason": "It is rude."}

        model = ScriptedModel(strict, name="scripted/replies")
        result = take_up(twin, model)
        assert (result.status, result.reason) == ("done", None), at
        again = [(one.type, one.speaker, one.content, one.target_seq) for one in twin.entries()]
        assert again[: at + 1] == shown[: at + 1], at
        assert not inherited & {request.key for request in model.requests}, at
        assert_sound(twin)
