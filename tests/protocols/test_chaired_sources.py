"""The verifier judges the sentence that cites a source, and code looks up what is quoted."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.chaired.payloads import Verification
from moot.protocols.chaired.record import readable
from moot.protocols.chaired.rules import record_of
from tests.kit.chaired import ABSENT, CLAIM, GOOD, QUOTE, WEAK, hold, of_type, reading, rulings, turn
from tests.kit.command import moot as command
from tests.kit.runs import asked

SUPPORTS = {"quote": QUOTE, "explanation": "Read.", "supports": "supports", "confidence": 0.9}


def found(run: Any) -> list[Verification]:
    data = [entry.data for entry in of_type(run, "verification_result") if entry.target_seq == 2]
    return [one for one in data if isinstance(one, Verification)]


def opening(folder: Path, content: str, *urls: str, **more: Any) -> Any:
    return hold(folder, {"promoter@opening/turn": turn("opening_statement", content, *urls), **more})


def test_each_sentence_is_judged_against_the_source_it_cites(tmp_path: Path) -> None:
    said = f"Trams matter. {CLAIM} [1] A lane is three metres wide in most towns [2], and so it stays."
    run, model = opening(tmp_path, said, GOOD, WEAK)
    assert [(one.url, one.sentence) for one in found(run)] == [
        (GOOD, CLAIM),
        (WEAK, "A lane is three metres wide in most towns, and so it stays."),
    ]
    around, _, sentences = asked(model, "verifier@promoter.opening.1/check").partition("Does the page say")
    assert "Trams matter" in around and QUOTE in around
    assert CLAIM in sentences and "Trams matter" not in sentences


def test_all_sentences_that_cite_a_page_are_judged_in_one_request(tmp_path: Path) -> None:
    said = f"Trams fly [1]. Lanes are wide [2].\n\n{CLAIM} [3] Cars carry more [1]."
    spelt = GOOD.replace("https://", "http://www.") + "/"
    good = [reading("contradicts", QUOTE) | {"sentence": 3}, reading("supports", QUOTE) | {"sentence": 2}]
    first = [*good, reading("says_nothing") | {"sentence": 1}]
    again = [reading("supports") | {"sentence": 2}, reading("says_nothing") | {"sentence": 1}]
    answers: dict[str, Any] = {
        "verifier@promoter.opening.1/check": {"found": first},
        "verifier@promoter.opening.1.again/check": {"found": again},
    }
    run, model = opening(tmp_path, said, GOOD, WEAK, spelt, **answers)
    assert [(one.sentence, one.status) for one in found(run)] == [
        ("Trams fly.", "not_there"),
        (CLAIM, "confirmed"),
        ("Cars carry more.", "confirmed"),
        ("Lanes are wide.", "not_there"),
    ]
    again_asked = asked(model, "verifier@promoter.opening.1.again/check")
    assert f"2. Cars carry more.\nA passage that was found: {QUOTE.rstrip('.')}" in again_asked
    checks = [one.key for one in model.requests if one.key.startswith("verifier@promoter.opening")]
    assert checks == [f"verifier@promoter.opening.{one}/check" for one in ("1", "2", "1.again", "2.again")]


@pytest.mark.parametrize(("answer", "status"), [("says_nothing", "unjudged"), ("supports", "confirmed")])
def test_nothing_is_missing_from_a_page_that_was_read_in_part(tmp_path: Path, answer: str, status: str) -> None:
    (tmp_path / "pack").mkdir()
    long = f"{'Nobody reads all of this page. ' * 400}\n\n{QUOTE}"
    page = {"url": "https://pack.example/long", "title": "Long", "text": long}
    (tmp_path / "pack" / "long.jsonl").write_text(json.dumps(page), "utf-8")
    judged = {"verifier@promoter.opening.1/check": reading(answer, QUOTE)}
    run, model = opening(tmp_path, f"{CLAIM} [1]", "https://pack.example/long", **judged)
    [one] = found(run)
    assert (one.status, rulings(run)) == (status, [])
    put = asked(model, "verifier@promoter.opening.1/check")
    assert "of which these are the passages nearest to the sentences" in put and QUOTE in put
    assert len(put) < len(long)


def test_code_never_overrules_a_passage_that_was_found(tmp_path: Path) -> None:
    """Whether it says what the sentence says is a question of meaning."""
    said = (
        "Straßenbahnen befördern viertausend Menschen pro Stunde. [1] 有轨电车每小时运送4000人。[1] They are ours. [1]"
    )
    checks = {f"verifier@promoter.opening.{number}/check": SUPPORTS for number in (1, 2, 3)}
    run, _ = opening(tmp_path, said, GOOD, **checks)
    assert [one.status for one in found(run)] == ["confirmed"] * 3
    assert rulings(run) == []


def test_the_title_of_a_source_is_the_pages_own(tmp_path: Path) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] So it is [2].", GOOD, ABSENT)
    said["sources"] = [{"url": GOOD, "title": "Proof that I am right"}, {"url": ABSENT, "title": "More proof"}]
    run, _ = hold(tmp_path, {"promoter@opening/turn": said})
    assert [(one.url, one.title) for one in of_type(run, "opening_statement")[0].sources] == [
        (GOOD, "Trams"),
        (ABSENT, ABSENT),
    ]
    assert "roof" not in run.log_path.read_text("utf-8")


@pytest.mark.parametrize(
    "said",
    [
        f"As the page says, ‹{QUOTE.upper()}› [1]",
        "As the page says, 'trams carry … an hour in one lane' [1].",
        "My opponent said “trams are slow and nobody likes them”. And yet they carry thousands [1].",
    ],
)
@pytest.mark.parametrize("answer", ["supports", "partly"])
def test_whether_a_quotation_is_right_is_the_verifiers_to_say(tmp_path: Path, said: str, answer: str) -> None:
    judged = SUPPORTS | {"supports": answer}
    checks = {f"verifier@promoter.opening.1{version}/check": judged for version in ("", ".again")}
    run, _ = opening(tmp_path, said, GOOD, **checks)
    assert [one.about for one in rulings(run)] == ([] if answer == "supports" else ["source"])


@pytest.mark.usefixtures("reports_are_read")
def test_a_page_that_could_not_be_read_is_held_against_nobody(tmp_path: Path) -> None:
    """A 403 is no ruling against the one who cites a newspaper."""
    said = f"{CLAIM} [1]"
    url = "http://127.0.0.1:9/newspaper"  # refused: an address of this machine
    answers = {f"{role}@{at}/turn": turn(kind, said, url) for role in ("promoter", "detractor") for at, kind in PLACES}
    run, model = hold(tmp_path, answers, evidence={})
    assert {one.status for one in found(run)} == {"unjudged"}
    assert rulings(run) == []
    assert "in your entry" not in asked(model, "promoter@r1/turn")
    sides = (run.result() or {})["sides"]
    assert [sides[role]["rulings"] for role in ("promoter", "detractor")] == [0, 0]
    assert "could not be judged" in (run.path / "report.md").read_text("utf-8")


PLACES = (("opening", "opening_statement"), ("r1", "new_point"))


@pytest.mark.usefixtures("reports_are_read")
def test_a_debater_withdraws_an_entry_of_its_own(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": turn("opening_statement", "Lanes are wide.", WEAK),
        "promoter@r1/turn": turn("withdraw", "The source did not say so.", target_seq=2),
        "detractor@r1/turn": turn("rebuttal", "I answer that.", answers=2),
    }
    run, model = hold(tmp_path, answers)
    [withdrawn] = of_type(run, "withdraw")
    assert (withdrawn.target_seq, withdrawn.speaker) == (2, "promoter")
    assert "withdrawn by its author" in asked(model, "promoter@closing/turn")
    assert [(data.rule, data.against) for data in rulings(run) if data.about == "struck"] == [(4, "detractor")]
    side = (run.result() or {})["sides"]["promoter"]
    assert (side["statements"], side["withdrawn"], side["redacted"]) == (2, 1, 0)
    assert "Entry 2, withdrawn by the promoter" in (run.path / "verifier-report.md").read_text("utf-8")


COUNT = [{"title": "The count of 2024", "text": f"{QUOTE} Nobody was counted twice."}]


@pytest.mark.usefixtures("reports_are_read")
@pytest.mark.parametrize("at", ["r1", "closing"])
def test_a_debater_withdraws_one_sentence(tmp_path: Path, at: str) -> None:
    wide = "Lanes are wide [2]."
    answers = {
        "promoter@opening/turn": turn("opening_statement", f"{CLAIM} [1] {wide} So it is.", GOOD, WEAK),
        f"promoter@{at}/turn": turn("withdraw", "The source did not say so.", target_seq=2, claim="Lanes are wide."),
    }
    run, model = hold(tmp_path, answers)
    [withdrawn] = of_type(run, "withdraw")
    assert (withdrawn.target_seq, withdrawn.data.sentences) == (2, [wide])  # type: ignore[union-attr]
    result = asyncio.run(moot.result_of(run))
    side = result.document()["sides"]["promoter"]
    assert (side["statements"], side["withdrawn"]) == (3, 0), "the entry stands"
    assert side["sources"]["not_there"] == 0, "what was withdrawn does not count"
    shown = f"{CLAIM} [1] [WITHDRAWN: {wide}] So it is."
    assert [one.content for one in readable(run.entries()) if one.seq == 2] == [shown]
    assert shown in asked(model, "chair@conclusion/decision")
    report = (run.path / "verifier-report.md").read_text("utf-8").replace("\\", "")
    assert f"“{wide}” of entry 2, withdrawn by the promoter" in report
    for name in ("report.md", "report.html", "transcript.md"):
        assert "WITHDRAWN: Lanes are wide" in (run.path / name).read_text("utf-8").replace("\\", ""), name
    assert not moot.verify(run).faults


WIDE, FLY = "Lanes are wide [2].", "Trams fly [2]."


@pytest.mark.parametrize(
    ("claims", "shown"),
    [
        (["Lanes are wide. Trams fly."], f"[WITHDRAWN: {WIDE} {FLY}]"),
        (["lanes are wide", "TRAMS FLY"], f"[WITHDRAWN: {WIDE}] [WITHDRAWN: {FLY}]"),
        (["Trams fly. And: Lanes are wide."], f"[WITHDRAWN: {WIDE}] [WITHDRAWN: {FLY}]"),
        (["Lanes are wide.", f"{CLAIM} Trams fly."], f"[WITHDRAWN: {WIDE}] [WITHDRAWN: {FLY}]"),
    ],
)
def test_two_sentences_of_a_statement_can_be_withdrawn(tmp_path: Path, claims: list[str], shown: str) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] {WIDE} {FLY}", GOOD, WEAK)
    answers = {"promoter@opening/turn": said}
    for number, claim in enumerate(claims, 1):
        answers[f"promoter@r{number}/turn"] = turn("withdraw", "I was wrong.", target_seq=2, claim=claim)
    run, _ = hold(tmp_path, answers, max_rounds=2, min_rounds=2)
    kept = f"[WITHDRAWN: {CLAIM} [1]]" if CLAIM in claims[-1] else f"{CLAIM} [1]"
    assert [one.content for one in readable(run.entries()) if one.seq == 2] == [f"{kept} {shown}"]
    side = asyncio.run(moot.result_of(run)).document()["sides"]["promoter"]
    assert (side["sources"]["not_there"], side["sources"]["confirmed"]) == (0, 2 if CLAIM in claims[-1] else 3)


@pytest.mark.usefixtures("reports_are_read")
def test_a_ruling_names_its_sentence_everywhere(tmp_path: Path) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] Lanes are wide and blue [2]. So it is.", GOOD, WEAK)
    run, model = hold(tmp_path, {"promoter@opening/turn": said})
    [ruling] = of_type(run, "ruling")
    assert (ruling.target_seq, ruling.data.sentence) == (2, "Lanes are wide and blue.")  # type: ignore[union-attr]
    told = "“Lanes are wide and blue.” in entry 2 of the promoter"
    assert told in ruling.content
    for name in ("report.md", "report.html", "transcript.md"):
        assert told in (run.path / name).read_text("utf-8").replace("\\", ""), name
    transcript = (run.path / "transcript.md").read_text("utf-8")
    assert f"- Ruling {ruling.seq}, rule 13, on “Lanes are wide and blue.”" in transcript
    assert told in command("show", str(run.path)).out
    assert "“Lanes are wide and blue.” in #2, by source [2]: not there" in asked(model, "detractor@r1/turn")


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Trams carry four thousand people an hour.", "confirmed"),
        ("Trams carry nobody at all.", "contradicted"),
    ],
)
def test_a_document_of_the_debate_is_a_source_that_is_checked(tmp_path: Path, sentence: str, status: str) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] {sentence} [D1]", GOOD)
    judged = SUPPORTS if status == "confirmed" else SUPPORTS | {"supports": "contradicts"}
    replies = {
        "promoter@opening/turn": said,
        "verifier@promoter.opening.1/check": SUPPORTS,
        "verifier@promoter.opening.2/check": judged,
        "verifier@promoter.opening.2.again/check": judged,
    }
    run, model = hold(tmp_path, replies, documents=COUNT)
    statement = of_type(run, "opening_statement")[0]
    assert [source.url for source in statement.sources] == [GOOD, "D1"]
    assert statement.sources[1].title == "The count of 2024"
    checked = {
        one.url: one.status
        for entry in of_type(run, "verification_result")
        if isinstance(one := entry.data, Verification) and entry.target_seq == statement.seq
    }
    assert checked == {GOOD: "confirmed", "D1": status}
    [told] = [one.messages[0].content for one in model.requests if one.key == "promoter@opening/turn"]
    assert "end a sentence that rests on one with its number, such as [D1]" in told
    assert not moot.verify(run).faults


def test_a_document_that_nobody_was_given_is_no_source(tmp_path: Path) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] Trams are red [2].", GOOD, "D7")
    run, _ = hold(tmp_path, {"promoter@opening/turn": said}, documents=COUNT)
    checked = [entry.data for entry in of_type(run, "verification_result") if isinstance(entry.data, Verification)]
    [absent] = [one for one in checked if one.url == "D7"]
    assert absent.status == "fabricated" and "no document D7" in absent.explanation
    said = turn("opening_statement", f"{CLAIM} [1] I like the vitamin [D9].", GOOD)
    plain, _ = hold(tmp_path / "without", {"promoter@opening/turn": said})
    assert "vitamin [D9]." in of_type(plain, "opening_statement")[0].content, "without documents it is a word like any"


def test_the_sentence_is_withdrawn_and_not_its_quotation(tmp_path: Path) -> None:
    said = f"You say: “It is slow.” {CLAIM} [1] It is slow."
    answers = {
        "promoter@opening/turn": turn("opening_statement", said, GOOD),
        "promoter@r1/turn": turn("withdraw", "I was wrong.", target_seq=2, claim="It is slow."),
        "promoter@r1.resumed/turn": turn("new_point", CLAIM, GOOD),
    }
    run, _ = hold(tmp_path, answers)
    shown = next(one.content for one in readable(run.entries()) if one.seq == 2)
    assert shown == f"You say: “It is slow.” {CLAIM} [1] [WITHDRAWN: It is slow.]"
    assert record_of(run.entries()).lines[2].content.startswith(f"You say: “It is slow.” {CLAIM} [1]")
