"""Runs that were tampered with by somebody who knows how the files hang together: verification finds it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.record.log import line_hash
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config, staged, take_up


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return staged(tmp_path_factory.mktemp("genuine"))


@pytest.fixture
def run(genuine: moot.Run, tmp_path: Path) -> moot.Run:
    shutil.copytree(genuine.path, tmp_path / genuine.name)
    return moot.Run(tmp_path / genuine.name)


def rewrite(run: moot.Run, **changes: Any) -> None:
    """Change the result by hand."""
    document = json.loads(run.result_path.read_bytes()) | changes
    run.result_path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", "utf-8")


def append(run: moot.Run, **changes: Any) -> None:
    """Append an entry that is chained as it should be."""
    last = run.log_path.read_bytes().splitlines()[-1]
    entry = json.loads(last)
    entry |= {"seq": entry["seq"] + 1, "prev": line_hash(last), "call": None, **changes}
    with run.log_path.open("ab") as file:
        file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")


FORGERIES: dict[str, tuple[Callable[[moot.Run], object], str]] = {
    "another status": (lambda run: rewrite(run, status="failed", reason="Ada broke off."), "altered at 'flags'"),
    "a limit that nobody set": (
        lambda run: rewrite(run, status="limit", limit="max_calls", reason="the limit of 5 calls is reached"),
        "",
    ),
    "a reason for what is done": (lambda run: rewrite(run, reason="the judge was bribed"), "gives a reason"),
    "an edited report": (lambda run: edit(run, "report.md", b"Ada", b"Bob"), "report.md is not what"),
    "an edited page": (lambda run: edit(run, "report.html", b"Ada", b"Bob"), "report.html is not what"),
    "an edited receipt": (lambda run: edit(run, "receipt.json", b"Ada", b"Bob"), "receipt.json was altered"),
    "no receipt": (lambda run: (run.path / "receipt.json").unlink(), "receipt.json is gone"),
    "an entry after the end": (lambda run: append(run, content="Bo wins after all."), "came after the receipt"),
    "an entry after an end that was changed": (
        lambda run: go_on(run),  # noqa: PLW0108 (it stands below)
        "the journal makes",
    ),
    "another chain": (lambda run: without_reports(run, longest_chain=3), "longest chain of 3, not"),
    "a limit, and no reports": (
        lambda run: without_reports(run, status="limit", limit="max_calls", reason="x", flags=[]),
        "",
    ),
}


def go_on(run: moot.Run) -> None:
    rewrite(run, status="limit", limit="max_calls", reason="x")
    append(run, content="Bo wins.")


def without_reports(run: moot.Run, **changes: Any) -> None:
    rewrite(run, **changes)
    for name in ("report.md", "report.html", "receipt.json"):
        (run.path / name).unlink()


def edit(run: moot.Run, name: str, old: bytes, new: bytes) -> None:
    path = run.path / name
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_is_found(run: moot.Run, what: str) -> None:
    forge, told = FORGERIES[what]
    forge(run)
    found = moot.verify(moot.Run(run.path))
    assert found.faults, found
    assert told in "; ".join(found.faults), found.faults


def test_what_is_not_checked_is_said(tmp_path: Path) -> None:
    stopped = moot.find_run(play(small_config(tmp_path, 2, max_calls=6), ScriptedModel(full_script(2))).run)
    told = "why it stopped is in no other file, and was not checked: limit, the limit of 6 calls is reached"
    assert (moot.verify(stopped).faults, moot.verify(stopped).notes) == ([], [told])
    moot.append_outside(stopped, phase="opening", speaker="Zoe", type="note", content="hello")
    assert any("the reports were not compared" in note for note in moot.verify(stopped).notes)


def test_nothing_is_paid_for_a_log_that_was_altered(tmp_path: Path) -> None:
    stopped = moot.find_run(play(small_config(tmp_path, 2, max_calls=6), ScriptedModel(full_script(2))).run)
    edit(stopped, "log.jsonl", b"Ada plans", b"Ada lies!")
    model = ScriptedModel(full_script(2))
    with pytest.raises(moot.RunDamaged, match="was altered, and nothing is asked"):
        take_up(stopped, model, max_calls=100)
    assert model.requests == []
