"""A chaired debate that was stopped, killed or forked: nothing is paid for twice, and it goes on from where it was."""

import asyncio
from pathlib import Path

import moot
from moot.testing import Scripted, ScriptedModel
from tests.kit.chaired import ABSENT, hold, model_of, of_type, ordinary, turn
from tests.kit.duels import assert_sound, said, take_up
from tests.kit.examples import tries


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
