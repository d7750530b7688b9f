"""Briefs, decision records, and folders of them: all from the record, nothing private, and nothing overwritten."""

import asyncio
import json
import os
import re
from pathlib import Path

import pytest

import moot
from moot.engine.staging.run import result_of
from moot.publish.decisions import BEGIN, END, keep_decisions
from moot.text.yaml import parse_yaml
from tests.kit.command import moot as command
from tests.kit.command import refused
from tests.kit.duels import answer_for, duel, staged
from tests.kit.servers import ready_runs

MADR = [
    "## Context and Problem Statement",
    "## Decision Drivers",
    "## Considered Options",
    "## Decision Outcome",
    "### Consequences",
    "### Confirmation",
    "## Pros and Cons of the Options",
    "## More Information",
]
OBLIGATORY = {"## Context and Problem Statement", "## Considered Options", "## Decision Outcome"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    """A finished run of each protocol."""
    return ready_runs(tmp_path_factory.mktemp("decided") / "runs")


def exported(run: moot.Run, form: str) -> str:
    return asyncio.run(moot.export(run, form))


def kept(folder: Path, *runs: moot.Run) -> dict[str, bool]:
    return {path.name: new for path, new in asyncio.run(keep_decisions(folder, runs)).items()}


def front_of(record: str) -> dict[str, object]:
    return parse_yaml(record.split("---\n")[1].encode(), "front matter")


def parts_of(record: str) -> dict[str, str]:
    """The sections of MADR in a record, by heading."""
    found = re.split(r"^(##+ .+)\n", record, flags=re.MULTILINE)
    texts: dict[str, str] = {}
    for heading, text in zip(found[1::2], found[2::2], strict=True):
        if heading in MADR:
            texts[heading] = text.strip()
        else:  # an option
            texts[[*texts][-1]] += f"\n{heading}\n\n{text.strip()}\n"
    return texts


def rows_of(folder: Path) -> list[list[str]]:
    """The rows of the index."""
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| [")]


def test_a_record_has_what_the_judge_answered_with_its_entries(tmp_path: Path) -> None:
    reasons = [{"reason": "The first.", "rests_on": ["1"]}, {"reason": "The second.", "rests_on": ["2"]}]
    result, _ = duel(tmp_path, {"judge/announce": answer_for("Ada", because=reasons)})
    record = exported(result.stored, "adr")
    turns = [entry.seq for entry in result.stored.entries() if entry.type == "turn"]
    (verdict,) = [entry for entry in result.stored.entries() if entry.type == "verdict"]
    source = result.summary.brief.source
    parts = parts_of(record)
    assert [*parts] == MADR
    assert parts["## Context and Problem Statement"] == "> Is it so?\n\n- Claim: It is so."
    assert parts["## Decision Drivers"].endswith(f": Something has to be done. (entry {source})")
    assert parts["## Considered Options"] == "- For the claim (Ada) (chosen)\n- Against the claim (Bo)"
    chosen, justified, *_ = parts["## Decision Outcome"].split("\n\n")
    assert chosen == f"Chosen option: “Yes, on the reasons given” (entry {source}), because:"
    assert justified == f"- The first. (entry {turns[0]})\n- The second. (entry {turns[1]})"
    assert parts["### Consequences"] == f"- Bad, because: It costs more than it seems. (entry {source})"
    assert f"A cheaper way. (entry {source})" in parts["### Confirmation"]
    assert f"Count what it costs. (entry {source})" in parts["### Confirmation"]
    assert f"### For the claim (Ada)\n\nThe case for it: entry {turns[0]}." in parts["## Pros and Cons of the Options"]
    assert result.receipt.log_sha256 in parts["## More Information"]
    assert front_of(record) == {
        "status": "proposed",
        "date": verdict.timestamp[:10],
        "decision-makers": [f"{name} (scripted/replies)" for name in ("Ada, debater", "Bo, debater", "Kim, judge")],
        "answer": "Yes, on the reasons given.",
        "run": result.stored.name,
        "log-sha256": result.receipt.log_sha256,
    }


def test_every_protocol_has_a_brief_and_a_record(runs: dict[str, moot.Run]) -> None:
    for name, run in runs.items():
        result, record = asyncio.run(result_of(run)), exported(run, "adr")
        parts = parts_of(record)
        assert parts.keys() >= OBLIGATORY, name
        assert [*parts] == [one for one in MADR if one in parts], name
        assert all(parts.values()), name
        numbers = {int(seq) for seq in re.findall(r"\bentry (\d+)", record)}
        assert numbers <= {entry.seq for entry in run.entries()}, name
        brief = json.loads(exported(run, "brief-json"))
        document = result.document()
        assert brief == {
            "topic": run.config.topic,
            **{key: document[key] for key in ("run", "protocol", "status", "summary", "brief", "flags", "receipt")},
        }
        told = exported(run, "brief")
        assert told.startswith("# ")
        assert result.receipt.log_sha256 in told


def test_options_are_those_of_the_protocol(runs: dict[str, moot.Run], tmp_path: Path) -> None:
    def options(run: moot.Run) -> str:
        return parts_of(exported(run, "adr"))["## Considered Options"]

    assert options(runs["panel"]) == "- accept (chosen)\n- modify\n- reject"
    assert options(runs["hats"]) == "Not recorded."
    arena = runs["arena"]
    proposed = {entry.speaker: entry for entry in arena.entries() if entry.type in ("proposal", "revision")}
    record = parts_of(exported(arena, "adr"))
    assert [line.endswith("(chosen)") for line in record["## Considered Options"].splitlines()] == [True, False, False]
    for name, entry in proposed.items():
        assert f"({name})" in record["## Considered Options"]
        assert f"The case for it: entry {entry.seq}." in record["## Pros and Cons of the Options"]
    choice, _ = duel(tmp_path, options=["Tea", "Coffee"], claim=None, topic="Tea or coffee?")
    assert options(choice.stored) == "- Tea (Ada) (chosen)\n- Coffee (Bo)"


def test_what_nobody_said_is_left_out(tmp_path: Path) -> None:
    empty = dict.fromkeys(("objection", "agreed", "would_change_it", "next"), "")
    result, _ = duel(tmp_path, {"judge/announce": answer_for("Ada", **empty)})
    parts = parts_of(exported(result.stored, "adr"))
    assert parts.keys() == {*MADR} - {"## Decision Drivers", "### Consequences", "### Confirmation"}
    unjudged, _ = duel(tmp_path, jury=0)
    record = exported(unjudged.stored, "adr")
    assert parts_of(record)["## Decision Outcome"].startswith("No option was chosen: ")
    assert "answer" not in front_of(record)


def test_a_folder_of_decisions_is_numbered_and_written_once(runs: dict[str, moot.Run], tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "decisions"
    one, other, third = runs["duel"], runs["arena"], runs["panel"]
    assert kept(folder, one, other) == {
        "0001-is-it-so.md": True,
        "0002-how-should-we-cut-the-build-time.md": True,
    }
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert kept(folder, other, one, other) == {
        "0002-how-should-we-cut-the-build-time.md": False,
        "0001-is-it-so.md": False,
    }
    assert kept(folder) == {}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "nothing is written twice"
    record = folder / "0001-is-it-so.md"
    assert (folder / str(front_of(record.read_text("utf-8"))["run"])).resolve() == one.path.resolve()
    (link,) = re.findall(r"\]\((\S+)\)", record.read_text("utf-8"))
    assert (folder / link).is_file()
    edited = record.read_text("utf-8").replace("status: proposed", "status: accepted").replace("# Is it", "# Was it")
    record.write_text(edited, "utf-8")
    (folder / "0007-by-hand.md").write_text("# Use *Postgres* | MySQL\n\nBecause.\n", "utf-8")
    assert [*kept(folder, one, third)] == ["0001-is-it-so.md", "0008-replace-the-nightly-import-with-a-queue.md"]
    assert record.read_text("utf-8") == edited, "an edited record stays as it is"
    rows = rows_of(folder)
    assert [row[0] for row in rows] == [
        "[0001](0001-is-it-so.md)",
        "[0002](0002-how-should-we-cut-the-build-time.md)",
        "[0007](0007-by-hand.md)",
        "[0008](0008-replace-the-nightly-import-with-a-queue.md)",
    ]
    assert rows[0][1:3] == ["Was it so?", "accepted"]
    assert rows[0][4] == "Yes, on the reasons given."
    assert rows[0][5] == f"[report]({link})"
    assert rows[2][1] == r"Use \*Postgres\* \| MySQL"


def test_the_index_leaves_other_text_alone(tmp_path: Path) -> None:
    run, folder = staged(tmp_path / "runs"), tmp_path / "decisions"
    folder.mkdir()
    index = folder / "README.md"
    index.write_text("# Ours\n\nWe decide on Mondays.\n", "utf-8")
    kept(folder, run)
    index.write_text(index.read_text("utf-8") + "\nThe end.\n", "utf-8")
    text = index.read_text("utf-8")
    assert text.startswith(f"# Ours\n\nWe decide on Mondays.\n\n{BEGIN}\n")
    (folder / "0002-another.md").write_text("---\nstatus: [broken\n---\n\nNo heading\n", "utf-8")
    kept(folder)
    assert [row[:2] for row in rows_of(folder)][1] == ["[0002](0002-another.md)", "0002-another"]
    assert index.read_text("utf-8").replace(index.read_text("utf-8").split(BEGIN)[1].split(END)[0], "") == (
        f"# Ours\n\nWe decide on Mondays.\n\n{BEGIN}{END}\n\nThe end.\n"
    )
    index.write_text(text.replace(END, ""), "utf-8")
    with pytest.raises(moot.ConfigError, match="has lost a mark"):
        kept(folder)
    assert index.read_text("utf-8") == text.replace(END, "")


def test_a_link_in_place_of_the_index_or_a_record_is_not_followed(tmp_path: Path) -> None:
    run, folder = staged(tmp_path / "runs"), tmp_path / "decisions"
    secret = tmp_path / "secret"
    secret.write_text("# Secret\n", "utf-8")
    for name in ("README.md", "0001-secret.md"):
        folder.mkdir(exist_ok=True)
        (folder / name).symlink_to(secret)
        with pytest.raises(moot.RunDamaged, match="it is a link"):
            kept(folder, run)
        (folder / name).unlink()
    assert secret.read_text("utf-8") == "# Secret\n"


def test_an_unfinished_debate_has_no_record(tmp_path: Path) -> None:
    stopped, _ = duel(tmp_path / "runs", max_calls=3)
    whole = staged(tmp_path / "runs")
    with pytest.raises(moot.ConfigError, match="has no outcome yet"):
        kept(tmp_path / "decisions", whole, stopped.stored)
    assert not (tmp_path / "decisions").exists()


def test_the_command_keeps_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = staged(tmp_path / "debates")
    monkeypatch.chdir(tmp_path)
    told = command("runs", "decisions", "decided", "latest")
    assert (told.code, told.out) == (0, "decided/0001-is-it-so.md\n")
    told = command("runs", "decisions", "decided", run.name)
    assert "left as it is" in told.err
    assert json.loads(command("runs", "decisions", "decided", run.name, "--json").out) == {
        "index": "decided/README.md",
        "records": [{"file": "decided/0001-is-it-so.md", "written": False}],
    }
    assert command("runs", "decisions", "decided").out == "decided/README.md\n"
    assert command("export", "latest", "--to", "adr").out == exported(run, "adr")
    assert "is not a folder" in refused("runs", "decisions", "nowhere")


def test_a_record_under_any_name_is_listed_and_never_changed(tmp_path: Path) -> None:
    folder, (result, _) = tmp_path / "decisions", duel(tmp_path, turns=2)
    folder.mkdir()
    (folder / "999999999-last.md").write_text("# The last\n", "utf-8")
    (folder / os.fsdecode(b"0001-\xff.md")).write_text("# Not UTF-8\n", "utf-8")
    [(name, new)] = kept(folder, result.stored).items()
    assert new
    (folder / name).write_text((folder / name).read_text("utf-8") + "Signed.\n", "utf-8")
    assert kept(folder, result.stored) == {name: False}
    assert (folder / name).read_text("utf-8").endswith("Signed.\n")
    assert [row[0] for row in rows_of(folder)][:2] == ["[0001](0001-%FF.md)", "[999999999](999999999-last.md)"]
