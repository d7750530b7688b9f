"""Questions about a finished debate: one request, answered from the public record, kept, and never paid for twice."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.engine.outcome.questions import QUESTIONS
from moot.errors import CallFailed, LimitReached
from moot.record.stores.base import JOURNAL, LOG, RESULT
from moot.testing import ScriptedModel
from tests.kit.command import empty_place, refused
from tests.kit.command import moot as command
from tests.kit.contract import MODEL, TOPIC, answers_anything
from tests.kit.duels import assert_sound, staged
from tests.kit.panels import panel
from tests.kit.shelf import demonstrated

QUESTION = "What would it cost?"
READER = "fake/reader"
SAID = "Ada begins: “Statement 1, by A. In two lines.” [E4] Bo answers her. [E8]"
DOCUMENT = {"title": "The bill", "text": "The bridge costs nine thousand a year. It was built in 1890."}


def reader(said: str = SAID, **more: Any) -> ScriptedModel:
    return ScriptedModel(lambda _: said, name=READER, **more)


def ask(run: moot.Run, model: ScriptedModel, question: str = QUESTION, **more: Any) -> Any:
    return moot.sync.ask(run, question, READER, models={READER: model}, **more)


@pytest.mark.parametrize("name", OFFERED)
def test_a_debate_of_any_kind_is_asked_once(name: str, tmp_path: Path) -> None:
    """One request, of the judge's model, with nothing private in it; the debate's own files stay as they are."""
    subject, model = get_protocol(name).subject.key, answers_anything()
    config = moot.configure(
        name, **{subject: TOPIC}, model=MODEL, seed=1, out=str(tmp_path), documents=[DOCUMENT], max_calls=400
    )
    run = asyncio.run(moot.run(config, models={MODEL: model}, reports=False)).stored
    before = {one: run.place.read(one) for one in (LOG, JOURNAL, RESULT)}
    held = len(model.requests)
    public = [one.seq for one in run.readable() if one.to == "all" and one.seq]
    model.script = lambda _: f"It is so [E{public[0]}]: “The bridge costs nine thousand a year” [D1]. [E99999]"
    answer = moot.sync.ask(run, QUESTION, models={MODEL: model})
    [request] = model.requests[held:]
    assert (answer.entries, answer.documents, answer.model) == ([public[0]], ["D1"], MODEL)
    assert answer.faults == ["It cites public entry E99999, which does not exist."]
    sent = "\n".join(message.content for message in request.messages)
    assert DOCUMENT["text"] in sent and QUESTION in sent and request.schema is None
    shown = "\n".join(entry.content for entry in run.readable() if entry.to == "all")
    private = [one.content for one in run.entries() if one.to != "all" and one.call and one.content not in shown]
    assert not [text for text in private if text in sent]
    again = moot.sync.ask(run, f" {QUESTION}\n", models={MODEL: model})
    assert again == answer.model_copy(update={"asked_before": True}) and len(model.requests) == held + 1
    assert {one: run.place.read(one) for one in before} == before
    assert_sound(run)


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("Ada calls it “a thing she has never said here” [E4].", "These words are not in E4"),
        ("So it is [D1] [E4].", "It cites document D1, which does not exist."),
        ("So it is [E5].", "It cites public entry E5, which does not exist."),
    ],
)
def test_what_an_answer_gets_wrong_is_marked(said: str, fault: str, tmp_path: Path) -> None:
    run = staged(tmp_path)
    assert run.entries()[5].to != "all"
    answer = ask(run, reader(said))
    assert any(one.startswith(fault) for one in answer.faults) and 5 not in answer.entries
    assert fault in (run.path / "report.md").read_text("utf-8")


def test_a_reply_on_record_is_not_paid_for_again(tmp_path: Path) -> None:
    """Killed at any line of the journal: what is there is used, the rest is asked for once."""
    run = staged(tmp_path)
    whole = ask(run, reader())
    lines = (run.path / QUESTIONS).read_bytes().splitlines(keepends=True)
    for kept in range(len(lines)):
        for torn in (b"", lines[kept][:20]):
            (run.path / QUESTIONS).write_bytes(b"".join(lines[:kept]) + torn)
            (run.path / "report.md").write_text("older")
            model = reader()
            answer = ask(run, model)
            paid = not any(b'"kind":"reply"' in line for line in lines[:kept])
            assert len(model.requests) == paid == (not answer.asked_before), kept
            assert answer.text == whole.text
            for file in run.path.glob("*.torn-*"):
                file.unlink()
            assert_sound(run)


def test_limits_hold(tmp_path: Path) -> None:
    run, model = staged(tmp_path), reader()
    with pytest.raises(LimitReached):
        ask(run, model, max_calls=0)
    with pytest.raises(moot.ConfigError, match="cannot enforce --max-cost"):
        ask(run, model, max_cost=1.0)
    assert model.requests == []
    found = moot.verify(run)
    assert found.faults == [] and any("has no answer yet" in note for note in found.notes)
    assert ask(run, model).entries == [4, 8]


def test_a_record_that_does_not_fit_is_cut_and_says_so(tmp_path: Path) -> None:
    long = {"title": "Long", "text": "A line of the document. " * 2000}
    result, _ = demonstrated("council", tmp_path, documents=[long])
    model = reader("It is so. [E2]", context_window=3000)
    ask(result.stored, model)
    [request] = model.requests
    sent = request.messages[1].content
    assert "You see only the beginning, or nothing, of: E" in sent and "Of D1 you see the first" in str(
        request.messages
    )
    assert_sound(result.stored)
    with pytest.raises(CallFailed, match="do not fit"):
        moot.sync.ask(result.stored, "x" * 19_000, READER, models={READER: model})


def test_an_altered_answer_is_found(tmp_path: Path) -> None:
    run = staged(tmp_path)
    ask(run, reader())
    file = run.path / QUESTIONS
    whole = file.read_text("utf-8")
    for old, new, fault in (
        ("Bo answers her", "Bo is silent", "is not as it was"),
        (f'"{QUESTION}"', '"And now?"', "is not as it was"),
        ("Somebody who has read", "Nobody who has read", "is not the one its reply was given to"),
    ):
        file.write_text(whole.replace(old, new), "utf-8")
        assert any(fault in one or "report.md" in one for one in moot.verify(run).faults), fault
    file.write_text("nothing\n{}\n", "utf-8")
    assert moot.verify(run).faults
    file.write_text(whole, "utf-8")
    assert_sound(run)


def test_an_entry_from_outside_is_not_part_of_the_debate(tmp_path: Path) -> None:
    run, model = staged(tmp_path), reader("So it is. [E13]")
    assert moot.append_outside(run, speaker="me", phase="verdict", type="note", content="Ignore that.") == 13
    answer = ask(run, model)
    assert answer.faults[0] == "It cites public entry E13, which does not exist."
    assert "Ignore that." not in str(model.requests)


def test_a_gate_is_not_decided_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question about a panel is not judged as an idea, and no requirement is met by it."""
    monkeypatch.chdir(tmp_path)
    run = moot.find_run(panel(tmp_path, require=["accept"])[0].run)
    script = tmp_path / "reader.json"
    model = f"scripted/{script}"
    from moot.engine.outcome.questions import Question

    script.write_text(json.dumps({Question(QUESTION, (model,), "").key: "Nobody named a price. [E3]"}))
    runs = len(moot.list_runs(str(run.path.parent)))
    told = command("ask", str(run.path), QUESTION, "-m", model)
    assert told.code == 0, told.err
    assert "Nobody named a price. [E3]" in told.out and "Cites entry 3" in told.out
    assert not any(word in (told.out + told.err).casefold() for word in ("requirement", "passes", "accept"))
    assert len(moot.list_runs(str(run.path.parent))) == runs
    document = json.loads(command("ask", str(run.path), QUESTION, "-m", model, "--json").out)
    assert document["asked_before"] is True and document["entries"] == [3]
    assert not document.keys() & {"gate", "passed", "decision", "status", "summary"}


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    assert "no run" in refused("ask", "nothing", QUESTION)
    command("demo", "council", "--instant")
    assert "Choose one to ask with -m" in refused("ask", "latest", QUESTION), "a script answers nothing else"
    assert "1 to 20,000 characters" in refused("ask", "latest", "  ")
    script = Path("reader.json")
    script.write_text("{}")
    assert "nothing" not in command("ask", "latest", QUESTION, "-m", f"scripted/{script}", "--max-calls", "0").out
    assert command("ask", "latest", QUESTION, "-m", f"scripted/{script}", "--max-calls", "0").code == 3


def test_a_busy_run_is_not_asked(tmp_path: Path) -> None:
    run, model = staged(tmp_path), reader()
    with run.hold(), pytest.raises(moot.RunBusy, match="being asked"):
        ask(run, model)
    assert model.requests == []


def test_a_run_in_a_database_is_asked_once(database: str) -> None:
    run, model = staged(database), reader()
    answer = ask(run, model)
    assert ask(run, model) == answer.model_copy(update={"asked_before": True})
    assert (len(model.requests), answer.entries) == (1, [4, 8])
    assert b"Bo answers her." in (run.place.read("report.md") or b"")
    assert_sound(run)
