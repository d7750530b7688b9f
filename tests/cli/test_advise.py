"""Which way of debating fits a question: the rules, what they recommend, and what it costs."""

import json
from pathlib import Path

import pytest

from moot.engine.advice import KINDS, advise
from moot.engine.registry import all_protocols
from tests.kit.command import moot, refused

KIND_OF = {
    "How many days will the migration take?": "number",
    "By when will it be done?": "number",
    "How high is the tower?": "number",
    "What would it cost to move?": "number",
    "Does coffee cause cancer?": "claim",
    "Is it true that bees sleep?": "claim",
    "Remote work pays, according to three surveys.": "claim",
    "Museums should be free.": "motion",
    "Should we rewrite it in Rust?": "decision",
    "Tabs or spaces?": "decision",
    "Who wrote Middlemarch?": "short",
    "What is 17 times 23?": "short",
    "How do we make onboarding better?": "open",
    "Whichever way?": "open",
    "Which database should we use?": "open",
    "What is the best way to learn Latin?": "open",
    "A plan. " * 40: "text",
    "Wie viele Tage dauert der Umzug der ganzen Firma in das neue Haus?": "open",
}


@pytest.mark.parametrize(("question", "kind"), KIND_OF.items())
def test_the_first_rule_that_applies_decides(question: str, kind: str) -> None:
    assert advise(question).kind.name == kind


def test_every_kind_has_somebody_made_for_it_and_every_protocol_a_kind() -> None:
    names = {kind.name for kind in KINDS}
    suited = {one.protocol.name: one.protocol.suits for one in all_protocols()}
    assert all(suits and set(suits) <= names for suits in suited.values())
    assert {suits[0] for suits in suited.values()} == names


def test_those_made_for_a_kind_come_first() -> None:
    assert advise("How do we make onboarding better?").protocols[0] == "council"
    assert advise("How many are there?").protocols == ["delphi"]
    assert advise("Short.", document=True).kind.name == "text"


def test_a_question_in_another_language_is_told_to_be_unread() -> None:
    assert advise("Wie viele Tage dauert der Umzug der ganzen Firma in das neue Haus?").unread
    assert not advise("Should we rewrite it in Rust?").unread


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_SEED", "1")  # who debates is drawn by lot
    told = json.loads(moot("advise", "Should we go?", "-m", "openai/gpt-5-mini", "--json").out)
    assert told["kind"]["name"] == "decision"
    planned = json.loads(moot("plan", "duel", "Should we go?", "-m", "openai/gpt-5-mini", "--json").out)
    duel = next(one for one in told["protocols"] if one["protocol"] == "duel")
    assert (duel["calls"], duel["cost"]) == (planned["calls"], planned["typical"]["cost"])
    Path("plan.txt").write_text("We move on Tuesday.")
    shown = moot("advise", "plan.txt", "--rules").out
    assert "a text or a plan to review, since it is a file, or has" in " ".join(shown.split()) and "redteam" in shown
    assert "7. an open question: no other rule applies" in shown
    assert "is empty" in refused("advise", " ")
    assert list(tmp_path.glob("**/log.jsonl")) == [], "nothing is debated"
