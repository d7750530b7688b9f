"""A gate is about exactly what was submitted: a rewrite is advice, and never lets the submitted text pass."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.stage import REQUIREMENT_MISSED, exit_code
from moot.plugins.trust import trust
from tests.kit.command import empty_place, refused
from tests.kit.command import moot as command
from tests.kit.gates import WAYS, Gate, started
from tests.kit.panels import IDEA, agreed, opinion, panel, rules, ruling
from tests.kit.planted import PLANTED, review
from tests.kit.shelf import briefed, demonstrated

CASINO = "Build a casino on the moon."


def sent_back(label: str = "modify", revised: str = CASINO) -> dict[str, Any]:
    """Everybody sends the first version back, and accepts what the reviser made of it."""
    required = ruling(label, modifications_required=["Say where."])
    return {**agreed(label), "validator/rule/1": required, "reviser/revise": {"idea": revised}}


def hash_of(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def gate_in(result: moot.Result) -> Any:
    assert result.gate is not None
    return result.gate


def test_whoever_accepts_a_revised_text_gets_that_text(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, sent_back(), full=False, require="accept", accept_revised=True)
    gate = gate_in(result)
    assert (exit_code(result), gate.passed) == (0, True)
    assert (gate.submitted_sha256, gate.accepted_sha256) == (hash_of(IDEA), hash_of(CASINO))
    assert "by the text as revised" in gate.why


def mended(folder: Path) -> moot.Result:
    """A plan whose grave findings are mended in the rewritten one."""
    fixed = {"thought": "x", "answer": "It is mended.", "handling": "mended"}
    left = dict.fromkeys(("A1", "A2", "A3"), "none")
    last = briefed("Yes.", thought="x", residuals=left, attack="It is slow.", severity="minor", go_ahead="revised")
    return demonstrated("redteam", folder, {"blue/defence/3": fixed, "red/again/1": last}, require="holds")[0]


REWRITTEN: dict[str, Callable[[Path], moot.Result]] = {
    "panel": lambda folder: panel(folder, sent_back(), full=False, require="accept")[0],
    "redteam": mended,
}


@pytest.mark.parametrize(
    ("way", "protocol"), [*((way, "panel") for way in WAYS), ("file", "redteam"), ("http", "redteam")]
)
def test_no_way_to_start_a_gate_lets_a_rewrite_pass_for_the_text(
    way: str, protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = REWRITTEN[protocol](tmp_path / "held")
    empty_place(tmp_path, monkeypatch)
    gate = Gate.like(held)
    passed, run = started(way, gate, monkeypatch)
    found = (run.result() or {})["gate"]
    assert (passed, found["accepted_sha256"]) == (False, None)
    assert (found["decision"], found["conditions"]) == (gate_in(held).decision, gate_in(held).conditions)
    assert found["submitted_sha256"] == hash_of(gate.text)
    assert found["revision"]["sha256"] == gate_in(held).revision.sha256


DIFF = PLANTED[0]


@pytest.mark.parametrize("way", WAYS)
def test_a_diff_is_a_change_to_code_by_every_way(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    passed, run = started(way, Gate(DIFF.diff, dict(review(DIFF)), settings={"require": "accept"}), monkeypatch)
    content, result = run.config.content(), run.result() or {}
    assert (passed, content["kind"], content["source"]) == (False, "change", "")
    assert content["idea"] == "A change of 1 file (+1, -1): shop/total.py\n\nShould the change in [D1] be merged?"
    assert [one["text"] for one in content["documents"]] == [DIFF.diff.rstrip("\n")]
    assert [one["where"][0]["file"] for one in result["findings"] if one["state"] == "open"] == [DIFF.file]
    assert result["gate"]["submitted_sha256"] == hash_of(DIFF.diff)


def test_a_diff_is_the_first_document_and_sets_nothing_that_somebody_set(tmp_path: Path) -> None:
    notes = {"title": "Notes", "text": "It is for the shop."}
    Path(tmp_path / "debate.yaml").write_text(json.dumps({"kind": "selection", "documents": [notes]}), "utf-8")
    for more in ({"documents": [notes]}, {"file": tmp_path / "debate.yaml"}):
        config = moot.configure("panel", idea=DIFF.diff, **more)
        assert [one.title[:8] for one in config.options.documents] == ["A change", "Notes"]
        assert config.content()["kind"] == ("change" if "documents" in more else "selection")
    assert moot.configure("duel", topic=DIFF.diff).topic == "Should the change in [D1] be merged?"
    again = moot.configure("panel", **{key: config.content()[key] for key in ("idea", "documents")})
    assert len(again.options.documents) == 2, "the question about a document is no document"


def test_a_long_text_is_a_document_whose_findings_have_a_place(tmp_path: Path) -> None:
    text = "# A plan\n\n" + "We copy it.\n" * 2000 + "Then the tape is burnt.\n"
    found = {"claim": "The tape is lost.", "quote": "the tape is burnt", "severity": "grave"}
    said = {"critic/round/1": opinion("reject", findings=[found])}
    result, _ = panel(tmp_path, {**said, **rules("accept", findings=[{"finding": "F1", "holds": True}])}, idea=text)
    assert result.stored.config.content()["idea"] == "A plan\n\nThe idea itself is document [D1]."
    assert [one.where[0].line for one in result.findings] == [2003]
    assert gate_in(result).submitted_sha256 == hash_of(text)


def test_a_diff_and_a_long_text_cannot_be_taken_as_revised() -> None:
    for text in (DIFF.diff, "word " * 5000):
        with pytest.raises(moot.ConfigError, match="no diff and no long text"):
            moot.configure("panel", idea=text, require="accept", accept_revised=True)


@pytest.mark.parametrize("accept_revised", [False, True])
def test_a_callback_gets_a_revised_idea_only_if_it_may(accept_revised: bool, tmp_path: Path) -> None:
    handed: list[str] = []
    how = {"accept_revised": accept_revised, "on_accept": lambda idea, _: handed.append(idea)}
    panel(tmp_path, sent_back(), full=False, **how)
    assert handed == [CASINO] * accept_revised


def test_a_text_that_passes_is_the_submitted_one(tmp_path: Path) -> None:
    gate = gate_in(panel(tmp_path, idea=f"{IDEA}\n", require="accept")[0])
    assert gate.submitted_sha256 == gate.accepted_sha256 == hash_of(f"{IDEA}\n"), "with its last newline"
    assert gate.revision is None


def test_nothing_is_accepted_where_nothing_is_required(tmp_path: Path) -> None:
    gate = gate_in(panel(tmp_path)[0])
    assert (gate.passed, gate.accepted_sha256, gate.decision) == (None, None, "accept")


def script(folder: Path, said: dict[str, Any]) -> list[str]:
    """Options that use these replies, with sound ones for the second version."""
    later = {key.replace("/", "@2/", 1): reply for key, reply in agreed().items()}
    path = folder / "replies.yaml"
    path.write_text(json.dumps(said | later), "utf-8")  # which is YAML, too
    return ["-m", f"scripted/{path}", "--seed", "1", "-q"]


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_bytes(f"\ufeff{IDEA}\r\n\r\n".encode())
    return tmp_path / "plan.md"


def receipt_of(folder: Path) -> Path:
    (found,) = folder.glob("*/receipt.json")
    return found


@pytest.mark.usefixtures("reports_are_read")
def test_the_command_writes_the_revised_text_and_passes_only_then(plan: Path) -> None:
    options = ["--require", "accept", *script(plan.parent, sent_back())]
    assert command("panel", "plan.md", "--out", "one", *options).code == REQUIREMENT_MISSED
    ended = command("panel", "plan.md", "--accept-revised", "new.md", "--out", "two", *options)
    assert (ended.code, Path("new.md").read_text("utf-8")) == (0, CASINO)
    assert "The revised text passes. It is in new.md." in ended.err
    submitted, unread = plan.read_bytes(), receipt_of(Path("two"))
    gate = json.loads(unread.read_text("utf-8"))["gate"]
    assert (gate["submitted_sha256"], gate["accepted_sha256"]) == (hash_of(submitted), hash_of(CASINO))


@pytest.mark.usefixtures("reports_are_read")
def test_a_receipt_knows_its_file(plan: Path) -> None:
    Path("sound.yaml").write_text(json.dumps(agreed()), "utf-8")
    passed = ["--require", "accept", "-m", "scripted/sound.yaml", "-q"]
    sent = ["--require", "accept", *script(plan.parent, sent_back())]
    Path("notes.md").write_text("Delete the backups.", "utf-8")
    assert command("panel", "plan.md", "--context", "notes.md", "--out", "passed", *passed).code == 0
    assert command("panel", "plan.md", "--context", "notes.md", "--out", "free", *passed[2:]).code == 0
    assert command("panel", "plan.md", "--out", "sent", *sent).code == REQUIREMENT_MISSED
    assert command("panel", "plan.md", "--out", "revised", "--accept-revised", "new.md", *sent).code == 0
    Path("other.md").write_text(IDEA, "utf-8")
    told = {
        ("passed", "plan.md"): (0, "This is the text that passed."),
        ("passed", "other.md"): (1, "This is not the file"),
        ("passed", "notes.md"): (1, "This is a document of the debate, and not what the gate decided about."),
        ("free", "plan.md"): (0, "This is the text that was submitted. Nothing was required of it."),
        ("free", "notes.md"): (0, "This is a document of the debate."),
        ("sent", "plan.md"): (1, "This is the text that was submitted, and it did not pass. Not as submitted;"),
        ("revised", "plan.md"): (1, "This is the text that was submitted, and it did not pass."),
        ("revised", "new.md"): (0, "This is the text that passed, as revised."),
    }
    for (run, file), (code, words) in told.items():
        ended = command("verify", str(receipt_of(Path(run))), "--file", file)
        assert (ended.code, words in ended.out) == (code, True), (run, file, ended)
    document = json.loads(command("verify", str(receipt_of(Path("sent"))), "--file", "plan.md", "--json").out)
    assert document["ok"] is False and document["file"]["about"].startswith("This is the text that was submitted")
    assert "give the receipt.json" in refused("verify", "latest", "--out", "sent", "--file", "plan.md")


def test_standard_input_is_submitted_to_the_letter(plan: Path) -> None:
    options = ["--require", "accept", *script(plan.parent, sent_back())]
    ended = command("panel", "-", "--json", *options, stdin=plan.read_bytes())
    assert json.loads(ended.out)["gate"]["submitted_sha256"] == hash_of(plan.read_bytes())


def test_a_revised_text_needs_a_gate_of_one_debate_on_the_text_itself(plan: Path) -> None:
    model = ["-m", "scripted/none.yaml", "--accept-revised", "new.md"]
    assert "--require" in refused("panel", "An idea.", *model)
    assert "--repeat" in refused("panel", "An idea.", "--require", "accept", "--repeat", "2", *model)
    plan.write_text("word " * 5000, "utf-8")
    assert "no long text" in refused("panel", "plan.md", "--require", "accept", *model)
    assert "replys_missing" in refused("panel", "An idea.", "--require", "accept", "--allow", "replys_missing", *model)
    Path("gate.yaml").write_text("protocol: panel\nidea: An idea.\nrequire: accept\naccept_revised: true\n", "utf-8")
    trust(Path("gate.yaml"))
    assert "--accept-revised FILE" in refused("run", "gate.yaml", "-m", "scripted/none.yaml")
