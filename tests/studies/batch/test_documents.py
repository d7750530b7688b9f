"""Rows and reports as files: right, whole, and harmless whatever models and users write."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.play.structured import instance_of
from moot.present import Facts, Table
from moot.studies.batch import Batch, Design, Row, open_batch, write_documents
from moot.studies.batch.documents import read_study
from moot.testing import Scripted, ScriptedModel
from tests.kit.arenas import CAST, WORDS, plain_reply, revision
from tests.kit.batches import CALLS, answering, made, ran, write_grid
from tests.kit.duels import KIM, MODEL
from tests.kit.panels import opinion
from tests.kit.panels import plain as panel_reply

HOSTILE = "=HYPERLINK(1)</script><img src=x onerror=alert(1)> | [x](javascript:1) \x1b[31m"


def rows_of(tmp_path: Path, file: Path, script: Callable[[moot.Request], Scripted]) -> list[Row]:
    batch = made(file, tmp_path / "batch")
    ended = ran(batch, ScriptedModel(script))
    assert ended.done == ended.total, [row.reason for row in batch.rows()]
    return batch.rows()


def first_cell(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_an_arenas_row_has_its_flips(tmp_path: Path) -> None:
    said = [revision(WORDS["ada"], "Ada", "A measurement."), revision(WORDS["bo"], "Cy")]

    def reply(request: moot.Request) -> Scripted:
        if request.key.startswith("bo/revise/"):
            return said.pop(0) if said else revision(WORDS["bo"])
        return plain_reply(request)

    file = tmp_path / "arena.yaml"
    settings: dict[str, Any] = {"protocol": "arena", "topic": "How?", "model": MODEL, "revision_rounds": 2, **CAST}
    file.write_text(json.dumps(settings | {"answer": WORDS["ada"]}), "utf-8")
    [row] = rows_of(tmp_path, file, reply)
    assert row.winner == "Ada"
    assert [one.name for one in row.contestants] == ["Ada", "Bo", "Cy"]
    assert {one.place for one in row.contestants} == {None}
    assert [(one.agent, one.evidence, one.right_before, one.right_after) for one in row.flips] == [
        ("Bo", True, False, True),
        ("Bo", False, True, False),
    ]
    assert row.first_correct is None, "there was no majority of the blind proposals"


def test_a_panels_row_compares_with_the_truth(tmp_path: Path) -> None:
    """All reject at first, and all but one are talked round: with evidence, or without."""

    def reply(request: moot.Request) -> Scripted:
        part, _, where = request.key.partition("/")
        if where == "round/1":
            return opinion("reject", evidence=["It was tried."])
        if where == "round/2":
            return opinion("accept", evidence=["It was tried.", "It works."] if part == "critic" else ["it was tried"])
        return panel_reply(request)

    file = tmp_path / "ideas.jsonl"
    file.write_text(json.dumps({"protocol": "panel", "idea": "A queue.", "truth": "accept", "model": MODEL}) + "\n")
    [row] = rows_of(tmp_path, file, reply)
    assert (row.decision, row.first_decision, row.changed_by_debate) == ("accept", "reject", True)
    assert (row.correct, row.first_correct) == (True, False)
    assert sorted(one.agent for one in row.flips if one.evidence) == ["Critic"]
    assert len(row.flips) == 4
    assert all((one.right_before, one.right_after) == (False, True) for one in row.flips)


def test_what_was_accepted_is_carried_over_in_the_order_of_the_file(tmp_path: Path) -> None:
    """One panel refuses the second idea; the others are accepted, and later panels are shown them."""

    def reply(request: moot.Request) -> Scripted:
        text = " ".join(message.content for message in request.messages)
        return opinion("reject") if "Idea two" in text and "round" in request.key else panel_reply(request)

    (tmp_path / "ideas.jsonl").write_text("".join(f'{{"idea": "Idea {n}."}}\n' for n in ("one", "two", "three")))
    file = tmp_path / "panel.yaml"
    base = {"protocol": "panel", "model": MODEL, "lines": "ideas.jsonl", "accepted": ["An old one."], "carry": True}
    file.write_text(json.dumps(base))
    batch = made(file, tmp_path / "batch")
    ran(batch, ScriptedModel(reply))
    assert [row.accepted for row in batch.rows()] == [True, False, True]
    runs = [batch.run_of(item) for item in batch.items()]
    carried = [run.config.debate.model_dump()["accepted"] for run in runs if run is not None]
    assert carried == [["An old one."], ["An old one.", "Idea one."], ["An old one.", "Idea one."]]


def test_all_protocols_have_rows_of_the_same_kind(tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"
    grid = {"protocol": ["duel", "persuasion", "chaired", "arena"]}
    file.write_text(json.dumps({"topic": "We should keep it.", "model": MODEL, "grid": grid}), "utf-8")
    rows = rows_of(
        tmp_path, file, lambda request: dict(instance_of(request.schema)) if request.schema else "I hold on to it."
    )
    duel, persuasion, chaired, arena = rows
    for row in (duel, persuasion, chaired):
        first, second = row.contestants
        assert (first.place, first.side, second.place, second.side) == (1, "for", 2, "against")
        assert row.first_speaker == first.name
        assert row.upheld is first.won is (row.winner == first.name) is not second.won
        assert row.winner_side == ("for" if row.upheld else "against")
        assert row.judge
    assert (persuasion.first_speaker, chaired.first_speaker) == ("Petra", "promoter")
    assert (chaired.decision, chaired.judge) == ("affirmative_wins", "chair")
    assert (arena.upheld, arena.first_speaker, len(arena.contestants)) == (None, None, 3)
    assert all(row.factors == {"protocol": row.protocol} for row in rows)


@pytest.fixture
def hostile(tmp_path: Path) -> Batch:
    judge = {**KIM, "name": "=Kim|<b>"}
    file = write_grid(
        tmp_path, grid={"topic": [HOSTILE.replace("\x1b", ""), "Plain?"]}, judge=judge, answer=True, repeat=2
    )
    file.rename(tmp_path / "=cmd.yaml")
    batch = made(tmp_path / "=cmd.yaml", tmp_path / "batch", Design(swap_order=True))
    ran(batch)
    write_documents(batch)
    return batch


def test_no_cell_of_the_csv_is_a_formula(hostile: Batch) -> None:
    cells = first_cell((hostile.path / "rows.csv").read_bytes())
    assert len(cells) == 8
    assert cells[0]["topic"].startswith("'=HYPERLINK(1)")
    assert cells[0]["judge"] == "'=Kim|<b>"
    assert cells[0]["factor.topic"].startswith("'=")
    assert not any(value.startswith(("=", "+", "-", "@")) for row in cells for value in row.values())
    assert (cells[0]["design.order"], cells[0]["upheld"], cells[0]["calls"]) == ("given", "true", str(CALLS))
    assert cells[0]["personas"] == "Ada; Bo"


def test_no_text_breaks_a_line_of_the_csv(tmp_path: Path) -> None:
    topics = ["One\rtwo?", "\r=3?", "Four\r\nfive?", 'Six, "seven"\n\u2028?']
    batch = made(write_grid(tmp_path, grid={"topic": topics}), tmp_path / "batch")
    write_documents(batch)
    with (batch.path / "rows.csv").open(newline="", encoding="utf-8") as file:
        found = [row["topic"] for row in csv.DictReader(file)]
    assert found == ["One\ntwo?", "'=3?", "Four\nfive?", topics[3]]


def test_jsonl_has_every_text_as_it_is(hostile: Batch) -> None:
    lines = [Row.model_validate_json(line) for line in (hostile.path / "rows.jsonl").read_text().splitlines()]
    assert lines == hostile.rows()
    assert lines[0].topic.startswith("=HYPERLINK")
    assert (lines[0].upheld, lines[0].calls, lines[0].cost) == (True, CALLS, 0.0)


def test_the_reports_show_hostile_text_and_run_none_of_it(hostile: Batch) -> None:
    page = (hostile.path / "report.html").read_text("utf-8")
    assert "default-src 'none'" in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img" not in page and "<script" not in page and "<b>" not in page
    text = (hostile.path / "report.md").read_text("utf-8")
    assert r"\[x\](javascript:1)" in text
    assert r"\<img" in text
    assert "8 of 8 debates done" in page and "8 of 8 debates done" in text
    assert "|             – |" in text and "A dash stands for an interval or a test that cannot be had" in text


def test_documents_are_made_from_the_folder_alone_and_always_alike(hostile: Batch) -> None:
    before = {path.name: path.read_bytes() for path in hostile.path.iterdir() if path.is_file()}
    for name in ("rows.csv", "rows.jsonl", "report.html", "report.md", "statistics.json"):
        (hostile.path / name).unlink()
    found = write_documents(open_batch(hostile.path))
    after = {path.name: path.read_bytes() for path in hostile.path.iterdir() if path.is_file()}
    assert before == after
    assert json.loads(after["statistics.json"]) == found.model_dump(mode="json")


def test_a_duels_row_has_all_that_it_came_to(tmp_path: Path) -> None:
    file = write_grid(tmp_path, answer=False, seed=4, turns=3)
    batch = made(file, tmp_path / "batch", Design(swap_order=True))
    ran(batch, answering())
    given, swapped = rows = batch.rows()
    page = read_study(batch, "batch")[1]
    (answers,), (made_with,) = page.parts[0].blocks, page.parts[-1].blocks
    assert isinstance(answers, Table) and isinstance(made_with, Facts)
    assert answers.rows == [[row.topic, row.headline] for row in rows], "the report begins with the answers"
    assert dict(made_with.facts)["Models"] == MODEL
    assert (given.winner, given.winner_side, given.upheld, given.correct) == ("Ada", "for", True, False)
    assert (given.first_speaker, swapped.first_speaker) == ("Ada", "Bo")
    assert (given.scores, given.outcome) == ({"Ada": 8, "Bo": 3}, "claim upheld")
    assert (given.judge, given.judge_model, given.seed, given.calls) == ("Kim", MODEL, 4, CALLS + 4)
    assert [(one.name, one.place, one.won) for one in swapped.contestants] == [("Bo", 1, False), ("Ada", 2, True)]
