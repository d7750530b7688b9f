"""`--context`: documents for every protocol, and diffs on standard input."""

import json
from pathlib import Path

import pytest

import moot as api
from moot.record.payloads import Given, Header
from tests.kit.command import moot, refused

pytestmark = pytest.mark.usefixtures("provider")
SHORT = {
    "duel": ["--turns", "2"],
    "chaired": [],
    "panel": [],
    "persuasion": [],
    "arena": ["--agents", "2", "--rounds", "1"],
}


def run_of(*args: str, stdin: bytes = b"") -> tuple[api.Run, dict[str, object]]:
    ended = moot(*args, "--json", "-q", stdin=stdin)
    document = json.loads(ended.out)
    assert document["status"] == "done", ended.err
    return api.find_run(document["run"]), document


def given_in(run: api.Run) -> list[Given]:
    return [entry.data for entry in run.entries() if isinstance(entry.data, Given)]


@pytest.mark.parametrize("protocol", SHORT)
def test_every_protocol_takes_documents(protocol: str) -> None:
    Path("notes.md").write_text("# Notes\n\nThe build takes 40 minutes.", "utf-8")
    run, document = run_of(protocol, "Should we wait?", "--context", "notes.md", *SHORT[protocol])
    assert [(one.document, one.title) for one in given_in(run)] == [("D1", "Notes")]
    header = run.entries()[0].data
    assert isinstance(header, Header) and header.details["Documents"].startswith("D1 Notes (")
    for record in run.records():
        for message in record.sent or []:
            if message.role == "system":
                assert "The build takes 40 minutes." in message.content, record.key
    assert api.verify(run).faults == []
    assert document["protocol"] == protocol


def test_a_panel_over_a_diff_of_300_kilobytes() -> None:
    lines = "".join(f"+value_{number} = compute(alpha={number})\n" for number in range(9000))
    diff = f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1,9000 @@\n{lines}"
    assert len(diff) > 300_000
    run, document = run_of("panel", "-", stdin=diff.encode())
    assert document["decision"] == "accept"
    assert not [flag for flag in document["flags"] if flag["code"] == "documents_cut"]  # type: ignore[attr-defined]
    assert run.journal_path.stat().st_size < 3 * len(diff), "it is stored once, not with every request"
    # gpt-4 is known to read 8,192 tokens at once.
    planned = moot("plan", "panel", "-", "-m", "openai/gpt-4", "--tool", "search", stdin=diff.encode())
    assert "Documents: D1 A change of 1 file (+9000, -0): x.py" in planned.out
    assert "D1 was too long: only " in planned.out and "Agents may look up 24 things" in planned.out
    run, document = run_of("panel", "-", "-m", "openai/gpt-4", stdin=diff.encode())
    [cut] = [flag for flag in document["flags"] if flag["code"] == "documents_cut"]  # type: ignore[attr-defined]
    assert cut["text"].startswith("D1 was too long: only ") and "of its 3" in cut["text"]


@pytest.mark.parametrize("name", ["~/id_rsa", "../id_rsa", "link.md", "ABSOLUTE"])
def test_a_file_that_was_sent_names_only_what_lies_beside_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A debate file and the file of a batch; the names are relative to it."""
    monkeypatch.setenv("HOME", str(Path.cwd()))
    Path("id_rsa").write_text("A secret key.", "utf-8")
    sent = Path("sent")
    sent.mkdir()
    (sent / "link.md").symlink_to(Path("id_rsa").absolute())
    (sent / "notes.md").write_text("Forty minutes.", "utf-8")
    debate = {"protocol": "duel", "topic": "Is it so?", "turns": 2, "seed": 1}
    named = str(Path("id_rsa").absolute()) if name == "ABSOLUTE" else name
    for kind, command in (("debate.yaml", "run"), ("batch.yaml", "batch"), ("batch.jsonl", "batch")):
        file = sent / kind
        file.write_text(json.dumps(debate | {"documents": ["notes.md"]}) + "\n", "utf-8")
        assert moot(command, str(file), "--json", "-q").code == 0
        file.write_text(json.dumps(debate | {"documents": [named]}) + "\n", "utf-8")
        assert "lies outside of the folder of the file that names it" in refused(command, str(file))
