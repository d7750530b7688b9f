"""Lookups that are public: whoever was shown one may cite it by its number, and nobody can before."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.record.payloads import Cited, Misquote
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, GatedModel, Replies, answer_for, assert_sound, play
from tests.kit.lookups import NOTHING, TEXT, codes, duel, prompt_at, script, wish
from tests.kit.shelf import briefed

DOCUMENTS = [{"title": "Report", "text": TEXT}, {"title": "Tolls", "text": "A toll of two euros was paid. " * 200}]
CABLES, TOLL = (wish(("search", {"query": words})) for words in ("rusted cables", "toll"))
BOTH: Replies = {
    "A/think/1/lookup/1": CABLES,
    "A/think/1/lookup/2": NOTHING,
    "A/turn/1": "“Two of its nine cables had rusted through” [L1a].",
    "B/think/2/lookup/1": TOLL,
    "B/think/2/lookup/2": NOTHING,
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def debate(**replies: Any) -> tuple[moot.Run, ScriptedModel, moot.Result]:
    given = BOTH | {key.replace("__", "/"): one for key, one in replies.items()}
    result, model = duel({**script(), **given}, ["search"], documents=DOCUMENTS)
    run = moot.find_run(result.run)
    assert_sound(run)
    return run, model, result


def cited(run: moot.Run) -> list[tuple[str, str]]:
    return [(one.agent, one.number) for entry in run.entries() if isinstance(one := entry.data, Cited)]


def wrong(run: moot.Run) -> list[tuple[str, str, str]]:
    return [(one.agent, one.document, one.quote) for entry in run.entries() if isinstance(one := entry.data, Misquote)]


def test_the_other_side_is_shown_what_was_cited_and_may_cite_it() -> None:
    said = "They say “traffic over the bridge was halved” [L1a], but “A toll of two euros was paid” [L1b]."
    run, model, result = debate(B__turn__2=said)
    shown = prompt_at(model, "B/think/2/lookup/1")
    assert "<<<source L1a" in shown and "traffic over the bridge was halved" in shown and "such as [L1a]" in shown
    assert "Ada" not in shown.partition("<<<turn")[0], "whose it is follows from what was said, not from this"
    assert "L1b" in prompt_at(model, "B/think/2/lookup/2")
    assert (cited(run), wrong(run)) == ([("Ada", "L1a"), ("Bo", "L1b")], [])
    assert "misquoted" not in codes(result)


def test_what_the_other_side_quotes_from_it_is_checked() -> None:
    run, _, _ = debate(B__turn__2="As “all of its nine cables had rusted” [L1a]. So says [L2a].")
    assert wrong(run) == [("Bo", "L1a", "all of its nine cables had rusted"), ("Bo", "L2a", "")]
    texts = [entry.content for entry in run.entries() if entry.type == "misquote"]
    assert texts[1] == "Bo has not looked up L2a, and nobody has made it public."


def test_what_was_not_cited_stays_private() -> None:
    run, model, _ = debate(A__turn__1="2 cables rust.", B__turn__2="“Two of its nine cables had rusted through” [L1a].")
    assert "L1a" not in prompt_at(model, "B/think/2/lookup/1")
    assert (cited(run), wrong(run)) == ([], [("Bo", "L1a", "")])


def test_a_judge_cites_what_is_public() -> None:
    verdict = "“Two of its nine cables had rusted through” [L1a], “nobody has ever said this” [L1a], [L1]."
    run, _, _ = debate(judge__announce=answer_for("Ada", verdict))
    assert wrong(run) == [("Kim", "L1a", "nobody has ever said this"), ("Kim", "L1", "")]


def test_the_passage_that_was_quoted_is_published() -> None:
    long = "Nothing. " * 500 + TEXT + " Nothing." * 500
    replies: Replies = {
        **script(),
        **BOTH,
        "A/turn/1": "“Two of its nine cables had rusted through” [L1a]. And again [L1a].",
    }
    result, model = duel(replies, ["search"], documents=[{"title": "Report", "text": long}])
    [entry] = [entry for entry in moot.find_run(result.run).entries() if isinstance(entry.data, Cited)]
    assert entry.content.startswith('L1a, search {"query": "rusted cables"}: ') and TEXT in entry.content
    assert TEXT in prompt_at(model, "B/think/2/lookup/1")


def test_a_lookup_that_gave_nothing_cannot_be_cited() -> None:
    run, _, _ = debate(A__think__1__lookup__1=wish(("search", {"query": "zebra"})))
    assert (cited(run), wrong(run)) == ([], [("Ada", "L1a", "")])
    assert (
        next(entry for entry in run.entries() if entry.type == "misquote").content == "The lookup L1a gave no answer."
    )


@pytest.mark.parametrize("late", ["member-1", "member-2"])
def test_what_is_public_does_not_depend_on_who_is_faster(late: str) -> None:
    replies: dict[str, Any] = {f"member-{number}/answer/lookup/1": NOTHING for number in (1, 2)}
    replies |= {"member-1/answer/lookup/1": CABLES, "member-1/answer/lookup/2": NOTHING}
    replies |= {f"member-{number}/answer": "“Two of its nine cables had rusted through” [L1a]." for number in (1, 2)}
    replies |= {f"member-{one}@rank/ranking": {"reasons": "So.", "ranking": ["A", "B"]} for one in (1, 2)}
    final = briefed("So.", follows="none", in_full="As [L1a] says.")
    inner = ScriptedModel(replies | {"chairman/lookup/1": NOTHING, "chairman/final": final})
    first = "member-2" if late == "member-1" else "member-1"
    model = GatedModel(inner, {f"{late}/answer": lambda: any(one.key == f"{first}/answer" for one in inner.requests)})
    settings: dict[str, Any] = {
        "topic": "Is it so?",
        "agents": 2,
        "model": MODEL,
        "documents": DOCUMENTS,
        "tools": ["search"],
    }
    result = play(moot.configure("council", out="runs", seed=7, **settings), model)
    assert result.status == "done", result.reason
    run = moot.find_run(result.run)
    assert (cited(run), wrong(run)) == ([("Member 1", "L1a")], [("Member 2", "L1a", "")])
    assert_sound(run)
