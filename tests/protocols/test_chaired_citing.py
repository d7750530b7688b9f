"""What belongs to a citation: the words before its mark, the quotations in them, and nobody else's words."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.chaired.citing import said_in
from moot.protocols.chaired.payloads import Verification
from moot.protocols.chaired.record import readable
from tests.kit.chaired import ABSENT, PACK, config_of, model_of, of_type, rulings, turn
from tests.kit.runs import asked

TITLE = "Results of the great congestion charge trial"
CHARGE = {
    "url": "https://pack.example/charge",
    "title": TITLE,
    "text": "Traffic across the cordon fell by 20 per cent in 2006. Shops inside the cordon saw no measurable loss.",
}
TRAMS = {"url": "https://pack.example/trams", "title": "Trams", "text": "Trams carry 4,000 people an hour in one lane."}
WAGES = "Drivers of buses earn more than drivers of trams in most large towns."
BUSES = {"url": "https://pack.example/buses", "title": "Buses", "text": f"Buses carry 900 people an hour. {WAGES}"}
FELL, CARRY = "Traffic across the cordon fell by 20 per cent in 2006.", TRAMS["text"]


def held(folder: Path, answers: dict[str, Any], **settings: Any) -> moot.Run:
    config = config_of(folder, **settings)
    (folder / "pack" / "pages.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in (*PACK, CHARGE, TRAMS, BUSES))
    )
    model = model_of(answers)
    result = asyncio.run(moot.run(config, models={model.name: model}))
    assert (result.status, result.reason) == ("done", None)
    return moot.find_run(result.run)


def opening(content: str, *pages: dict[str, str], title: str = "A title") -> dict[str, Any]:
    return {
        "thought": "",
        "type": "opening_statement",
        "content": content,
        "sources": [{"url": page["url"], "title": title} for page in pages],
        "rebuttal_to_seq": None,
    }


def bears(quote: str) -> dict[str, Any]:
    return {"supports": "supports", "quote": quote, "explanation": "Read.", "confidence": 0.9}


def found(run: moot.Run) -> list[Verification]:
    return [one.data for one in of_type(run, "verification_result") if isinstance(one.data, Verification)]


@pytest.mark.parametrize(
    ("content", "text", "cites"),
    [
        ("It is so [1].", "It is so.", (1,)),
        ("It is so. [1]", "It is so.", (1,)),
        ("[1] It is so.", "It is so.", (1,)),
        ("It is so [1][2].", "It is so.", (1, 2)),
        ("Trams [1] beat buses [2, 3] in towns [1].", "Trams beat buses in towns.", (1, 2, 3)),
        ("[CONJECTURE] Trams win [1]; buses lose [2].", "Trams win; buses lose.", (1, 2)),
        ("It is so.", "It is so.", ()),
    ],
)
def test_a_sentence_is_whole_whatever_it_cites(content: str, text: str, cites: tuple[int, ...]) -> None:
    [said] = said_in(content)
    assert (said.text, said.cites) == (text, cites)


def test_the_verifier_judges_the_sentence_as_it_stands_by_each_of_its_sources(tmp_path: Path) -> None:
    said = "As [1] shows, trams carry 4,000 people an hour, while [2] says that traffic fell by 20 per cent."
    config, model = config_of(tmp_path), model_of({"promoter@opening/turn": opening(said, PACK[0], PACK[1])})
    asyncio.run(moot.run(config, models={model.name: model}))
    for number in (1, 2):
        told = asked(model, f"verifier@promoter.opening.{number}/check")
        assert f"cites it as [{number}]:" in told and said in told
        assert "1. As shows, trams carry 4,000 people an hour, while says that traffic fell by 20 per cent." in told


@pytest.mark.parametrize(
    ("claim", "refused"),
    [
        ("So we should have trams in all our towns.", True),
        ("Trams carry 4,000 people an hour", False),
        ("Trams carry 4,000 people an hour, while traffic across the cordon fell by 20 per cent.", False),
    ],
)
def test_only_what_cites_a_source_is_challenged_by_it(tmp_path: Path, claim: str, refused: bool) -> None:
    said = "Trams carry 4,000 people an hour [1], while traffic across the cordon fell by 20 per cent [2]."
    challenge = turn("source_challenge", "It does not say so.", TRAMS["url"], target_seq=2, claim=claim)
    answers = {
        "promoter@opening/turn": opening(f"{said} So we should have trams in all our towns.", TRAMS, CHARGE),
        "verifier@promoter.opening.1/check": bears(CARRY),
        "verifier@promoter.opening.2/check": bears(FELL),
        "detractor@r1/turn": challenge,
        "verifier@detractor.r1.challenge/check": bears(CARRY),
        "detractor@r1.resumed/turn": turn("rebuttal", "That does not follow.", answers=2),
    }
    run = held(tmp_path, answers)
    assert ("struck" in [one.about for one in rulings(run) if one.against == "detractor"]) == refused
    assert [one.sentence for one in found(run) if one.challenged] == (
        [] if refused else ["Trams carry 4,000 people an hour, while traffic across the cordon fell by 20 per cent."]
    )


def test_the_title_of_a_page_that_exists_is_struck_nowhere(tmp_path: Path) -> None:
    made_up = {"url": ABSENT}
    answers = {
        "promoter@opening/turn": opening(f"{FELL[:-1]} [1]. Dolphins agree [2].", CHARGE, made_up, title=TITLE),
        "verifier@promoter.opening.1/check": bears(FELL),
        "detractor@opening/turn": opening("Shops inside the cordon saw no measurable loss [1].", CHARGE, title=TITLE),
        "verifier@detractor.opening.1/check": bears("Shops inside the cordon saw no measurable loss."),
    }
    run = held(tmp_path, answers)
    assert len(of_type(run, "redaction")) == 1
    mine = next(
        one for one in readable(run.entries()) if one.type == "opening_statement" and one.speaker == "detractor"
    )
    assert ([one.title for one in mine.sources], mine.content) == (
        [TITLE],
        "Shops inside the cordon saw no measurable loss [1].",
    )


def test_a_page_that_is_verified_later_frees_its_words(tmp_path: Path) -> None:
    said = "Buses carry 900 people an hour [1]. And drivers of buses earn more than drivers of trams."
    answers = {
        "promoter@opening/turn": opening(f"{WAGES} Dolphins agree [1].", {"url": ABSENT}),
        "detractor@opening/turn": opening(f"{FELL[:-1]} [1].", CHARGE),
        "verifier@detractor.opening.1/check": bears(FELL),
        "detractor@r1/turn": turn("new_point", said, BUSES["url"]),
        "verifier@detractor.r1.1/check": bears("Buses carry 900 people an hour."),
    }
    run = held(tmp_path, answers, topic="Who should pay for it?")
    assert len(of_type(run, "redaction")) == 1
    [point] = [one.content for one in readable(run.entries()) if one.speaker == "detractor" and one.type == "new_point"]
    assert point == said
    assert "earn more than drivers" not in json.dumps([one.model_dump() for one in readable(run.entries())[:10]])


def test_lines_for_somebody_by_the_name_that_the_config_gives(tmp_path: Path) -> None:
    answers = {"detractor@r1/turn": turn("rebuttal", "That does not follow.\n\nAda: You are right.", answers=2)}
    run = held(tmp_path, answers, roles={"promoter": {"name": "Ada"}})
    assert [one.data.codes for one in of_type(run, "irregular")] == [["impersonation"]]  # type: ignore[union-attr]


@pytest.mark.parametrize("mark", ["【1】", "［1］", "［１］", "[1]"])
def test_marks_in_other_brackets_are_marks(tmp_path: Path, mark: str) -> None:
    answers = {
        "promoter@opening/turn": opening(f"有轨电车每小时运送四千人{mark}。", TRAMS),
        "verifier@promoter.opening.1/check": bears(CARRY),
    }
    run = held(tmp_path, answers)
    said = next(one for one in of_type(run, "opening_statement") if one.speaker == "promoter")
    assert [one.url for one in said.sources] == [TRAMS["url"]]
    assert [(one.sentence, one.status) for one in found(run)][:1] == [("有轨电车每小时运送四千人。", "confirmed")]
    assert rulings(run) == []


def test_documents_are_cited_in_other_brackets(tmp_path: Path) -> None:
    notes = [{"title": "Notes", "text": CARRY}]
    run = held(tmp_path, {"promoter@opening/turn": opening("电车很快【D1】。")}, documents=notes)
    said = next(one for one in of_type(run, "opening_statement") if one.speaker == "promoter")
    assert [one.url for one in said.sources] == ["D1"]


def test_a_document_that_is_not_there_is_sent_back_and_strikes_nothing(tmp_path: Path) -> None:
    documents = [{"title": "Notes", "text": CARRY}]
    run = held(tmp_path, {"promoter@opening/turn": opening("Trams are fast [D3].")}, documents=documents)
    assert of_type(run, "redaction") == []
    assert [(one.about, one.sentence) for one in rulings(run)] == [("unsourced", "Trams are fast [D3].")]
    assert "promoter@opening/turn-again" in [one.call for one in of_type(run, "opening_statement")]


def test_a_number_too_many_leaves_a_sentence_sourced(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": opening("Trams carry 4,000 people an hour [1][7].", TRAMS),
        "verifier@promoter.opening.1/check": bears(CARRY),
    }
    run = held(tmp_path, answers)
    assert [one.status for one in found(run)][:1] == ["confirmed"]
    assert rulings(run) == []
