"""Briefs and decision records: all from the record, and nothing private."""

import asyncio
import json
import re
from pathlib import Path

import pytest

import moot
from moot.engine.staging.run import result_of
from moot.testing import Scripted, ScriptedModel
from moot.text.yaml import parse_yaml
from tests.kit.duels import Replies, answer_for, duel, full_script, play, small_config
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


def test_a_record_has_what_the_judge_answered_with_its_entries(tmp_path: Path) -> None:
    reasons = [{"reason": "The first.", "rests_on": ["1"]}, {"reason": "The second.", "rests_on": ["2"]}]
    result, _ = duel(tmp_path, {"judge/announce": answer_for("Ada", because=reasons)})
    record = exported(result.stored, "adr")
    turns = [entry.seq for entry in result.stored.entries() if entry.type == "turn"]
    (verdict,) = [entry for entry in result.stored.entries() if entry.type == "verdict"]
    source = result.summary.brief.source
    parts = parts_of(record)
    assert [*parts] == MADR
    assert parts["## Context and Problem Statement"] == "> Is it so?\n\n- Premise: It is so."
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


def test_the_options_of_an_open_question_are_what_was_argued(tmp_path: Path) -> None:
    said: dict[str, Scripted | list[Scripted]] = {
        "A/turn/1": "PostgreSQL, because 9 of 10 reports join orders, customers and invoices, and the team has run it.",
        "B/turn/2": "DynamoDB, because the launch brings 10 times the writes, and one primary cannot take them all.",
    }
    result, _ = duel(tmp_path, said, claim=None, kind="open")
    options = parts_of(exported(result.stored, "adr"))["## Considered Options"]
    assert options == f"- {said['A/turn/1']} (Ada) (chosen)\n- {said['B/turn/2']} (Bo)"


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
    choice, _ = duel(tmp_path, options=["Tea", "Coffee"], claim="Tea is better than coffee.", topic="Tea or coffee?")
    assert options(choice.stored) == "- Tea (Ada) (chosen)\n- Coffee (Bo)"


def test_what_nobody_said_is_left_out(tmp_path: Path) -> None:
    empty = dict.fromkeys(("objection", "agreed", "would_change_it", "next"), "")
    result, _ = duel(tmp_path, {"judge/announce": answer_for("Ada", **empty)})
    parts = parts_of(exported(result.stored, "adr"))
    assert parts.keys() == {*MADR} - {"## Decision Drivers", "### Consequences", "### Confirmation"}
    unjudged, _ = duel(tmp_path, no_judge=True)
    record = exported(unjudged.stored, "adr")
    assert parts_of(record)["## Decision Outcome"].startswith("No option was chosen: ")
    assert "answer" not in front_of(record)


def test_documents_are_part_of_the_context(tmp_path: Path) -> None:
    given = {"title": "The load test", "text": "Nothing broke.", "source": "load.md"}
    run = duel(tmp_path, documents=[given])[0].stored
    (entry,) = [entry.seq for entry in run.entries() if entry.type == "document"]
    context = parts_of(exported(run, "adr"))["## Context and Problem Statement"]
    assert f"**D1:** The load test (entry {entry}) (load.md)" in context


def test_no_thought_is_in_a_brief_or_a_record(tmp_path: Path) -> None:
    public = re.compile(r"/turn/|confirm|extract|announce|/score")
    script = {key: reply if public.search(key) else f"CANARY {reply}" for key, reply in full_script(2).items()}
    run = play(small_config(tmp_path, 2), ScriptedModel(script)).stored
    assert "CANARY" in exported(run, "md")
    for form in ("adr", "brief", "brief-json"):
        assert "CANARY" not in exported(run, form)


def test_what_was_not_decided_is_no_chosen_option(tmp_path: Path) -> None:
    unsettled: Replies = {"judge@verdict/confirm": "hm", "judge@verdict/extract": ["a", "b", "c"]}
    result, _ = duel(tmp_path, unsettled | {"judge/announce": answer_for("neither", "It stays open.")}, turns=2)
    outcome = parts_of(exported(result.stored, "adr"))["## Decision Outcome"]
    assert "No option was chosen" in outcome and "Chosen option" not in outcome
