"""Which way of debating fits a question: the rules, what they recommend, and what it costs."""

import json
from pathlib import Path

import pytest

from moot.engine.advice import KINDS, Kind, advise
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
    "Wie viele Tage dauert der Umzug der ganzen Firma in das neue Haus?": "number",
    "How many engineers does the platform team need next year?": "number",
    "What's the probability that the launch slips?": "number",
    "What percent of users will churn?": "number",
    "What is the population of Norway?": "number",
    "How much should we charge for the pro plan?": "number",
    "How long until fusion power is commercial?": "number",
    "By how much would the tax cut emissions?": "number",
    "At what price should we sell?": "number",
    "What is the average latency of our API?": "number",
    "How many people should be on call?": "number",
    "Wie viele Tage dauert die Migration?": "number",
    "Wie hoch ist der Mount Everest?": "number",
    "¿Cuántos habitantes tiene Lima?": "number",
    "Combien de temps faut-il pour apprendre le japonais ?": "number",
    "Quanto costa una Ferrari?": "number",
    "东京有多少人口？": "number",
    "Сколько дней займёт миграция?": "number",
    "how often do planes crash": "number",
    "When will quantum computers break RSA?": "short",
    "Who wrote Don Quixote?": "short",
    "What is the capital of Australia?": "short",
    "Is it true that coffee stunts growth?": "claim",
    "Does vitamin D prevent colds?": "claim",
    "Do masks reduce transmission?": "claim",
    "Is aspartame carcinogenic?": "claim",
    "Are nuclear plants safer than coal plants?": "claim",
    "Did the Vikings reach America before Columbus?": "claim",
    "Can exercise cure depression?": "claim",
    "Cars should be banned from city centres.": "motion",
    "Ban all cars!": "motion",
    "AI will take most jobs.": "motion",
    "Los coches deberían prohibirse en el centro.": "motion",
    "is remote work better than office work": "motion",
    "Should we use Postgres or MySQL?": "decision",
    "Postgres vs MySQL": "decision",
    "Postgres or MySQL?": "decision",
    "Would it be wise to move to Berlin?": "decision",
    "Do we rewrite or refactor?": "decision",
    "Could we skip code review for trivial changes?": "decision",
    "Is it OK to deploy on Fridays?": "decision",
    "Sollten wir nach Rust umsteigen?": "decision",
    "¿Deberíamos contratar más gente?": "decision",
    "Faut-il interdire les voitures en ville ?": "decision",
    "我们应该用 Rust 重写吗？": "decision",
    "Стоит ли нам переходить на Rust?": "decision",
    "which is heavier, a kilogram of lead or a kilogram of feathers?": "decision",
    "should we raise prices": "decision",
    "What should I study?": "open",
    "Which programming language should a beginner learn?": "open",
    "What is the meaning of life?": "open",
    "What is love?": "open",
    "What are the pros and cons of remote work?": "open",
    "Why did Rome fall?": "open",
    "How do I become a better writer?": "open",
    "How should we cut build time?": "open",
    "Explain monads.": "open",
    "Was ist die Hauptstadt von Peru?": "open",
    "Ist Kaffee gesund?": "open",
}


@pytest.mark.parametrize(("question", "kind"), KIND_OF.items())
def test_the_first_rule_that_applies_decides(question: str, kind: str) -> None:
    assert advise(question).kind.name == kind


@pytest.mark.parametrize(
    "question",
    ["is remote work better than office work", "Postgres vs MySQL", "Explain monads.", "Is aspartame carcinogenic?"],
)
def test_what_is_advised_can_be_held(question: str) -> None:
    """Those that want a claim would refuse an open question."""
    told = json.loads(moot("advise", question, "-m", "openai/gpt-5-mini", "--json").out)
    assert told["protocols"] and all(one["calls"] for one in told["protocols"])
    assert "names no provider" in refused("advise", question, "-m", "nobody"), "a fault of all of them is told"


def test_every_kind_has_somebody_made_for_it_and_every_protocol_a_kind() -> None:
    names = {kind.name for kind in KINDS}
    suited = {one.protocol.name: one.protocol.suits for one in all_protocols()}
    assert all(suits and set(suits) <= names for suits in suited.values())
    assert {suits[0] for suits in suited.values()} == names


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_reason_is_one_short_sentence(kind: Kind) -> None:
    told = f"This looks like {kind.about}: {kind.reason}."
    assert len(told) <= 120 and told.count(".") == 1 and kind.reason != kind.rule


def test_those_made_for_a_kind_come_first() -> None:
    assert advise("How do we make onboarding better?").protocols[0] == "council"
    assert advise("How many are there?").protocols == ["delphi"]
    assert advise("Short.", document=True).kind.name == "text"


def test_a_question_in_another_language_is_told_to_be_unread() -> None:
    assert advise("Warum dauert der Umzug der ganzen Firma in das neue Haus so lange?").unread
    assert not advise("Wie viele Tage dauert der Umzug der ganzen Firma in das neue Haus?").unread, "the rule knows it"
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
    first, *_ = shown.splitlines()
    assert first == "This looks like a text or a plan to review: it is a file, or longer than a question."
    assert "redteam" in shown
    assert "7. an open question: no other rule applies" in shown
    assert "is empty" in refused("advise", " ")
    assert list(tmp_path.glob("**/log.jsonl")) == [], "nothing is debated"
