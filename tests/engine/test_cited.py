"""Documents as readers see them: the words that are quoted, by whom, and what is cited and not there."""

from pathlib import Path

import moot
from moot.engine.outcome.material import gather, transcript
from moot.present import Document
from tests.kit.duels import Replies, answer_for, duel

WORDS = "two of its nine cables had rusted through"
REPORT = f"The bridge was inspected in May.\nThe report says that {WORDS},\nand that traffic was halved.\nThe end."
STREET = "Die Straße ist offen.\nDie Große Straße wird im nächsten Jahr ganz gesperrt.\nEnde."
DOCUMENTS = [{"title": "Report", "text": REPORT, "source": "a/report.md"}, {"title": "Report", "text": STREET}]


def debated(
    folder: Path, first: str, more: Replies | None = None, documents: list[dict[str, str]] = DOCUMENTS
) -> moot.Result:
    result, _ = duel(folder, {"A/turn/1": first, **(more or {})}, documents=documents)
    assert result.status == "done", result.reason
    return result


def shown(result: moot.Result) -> dict[str, Document]:
    """The documents in the report, by their numbers."""
    [section] = [one for one in gather(moot.find_run(result.run), result).sections() if one.id == "given"]
    return {block.number: block for block in section.blocks if isinstance(block, Document)}


def words_in(document: Document) -> list[tuple[str, list[int]]]:
    return [(document.text[one.start : one.end], list(one.entries)) for one in document.words]


def turns(result: moot.Result) -> list[int]:
    return [entry.seq for entry in moot.find_run(result.run).entries() if entry.type == "turn"]


def test_the_words_that_entries_quote_are_marked_in_the_document(tmp_path: Path) -> None:
    """In whatever case they are quoted, also where letters become several when their case is folded, and with gaps."""
    said = (
        f"It is unsafe: “{WORDS.upper()}” [D1]. “Die große Strasse wird … ganz gesperrt” [D2]. Both say so [D1, D2]. "
        "There is no “word of this kind in the document” [D1]."
    )
    again = f"All agree that “{WORDS}” [D1]."
    result = debated(tmp_path, said, {"B/turn/2": again, "A/think/1": "Secretly: “and that traffic was halved” [D1]."})
    first, second = turns(result)
    report, street = shown(result).values()
    assert words_in(report) == [(WORDS, [first, second])], "private thoughts are not counted"
    assert words_in(street) == [("Die Große Straße wird im nächsten Jahr ganz gesperrt", [first])]
    assert list(report.entries) == list(street.entries) == [first]
    assert list(report.missing) == [("word of this kind in the document", first)]
    assert (report.name, street.name) == ("Report", "Report")
    assert "a/report.md" in report.about and "a/report.md" not in street.about, "two of one name are told apart"


def test_each_citation_of_a_statement_leads_to_its_own_place(tmp_path: Path) -> None:
    said = f"“{WORDS}” [D1]. Then “Die Große Straße wird im nächsten Jahr” [D2]. And so [D1; D2], but not [D9]."
    result = debated(tmp_path, said)
    [links] = [
        one.links for one in transcript(gather(moot.find_run(result.run), result)) if one.entry.seq == turns(result)[0]
    ]
    assert list(links) == [{"D1": "D1-L2"}, {"D2": "D2-L2"}, {"D1": "D1", "D2": "D2"}, {}]


def test_reasons_name_the_lines_that_they_or_their_entries_quote(tmp_path: Path) -> None:
    reasons = [
        {"reason": "It says “traffic was halved” and that is enough [D1].", "rests_on": ["1"]},
        {"reason": "The cables are gone.", "rests_on": ["1", "2"]},
        {"reason": "Nobody denies it [D2].", "rests_on": []},
    ]
    result = debated(
        tmp_path, f"“{WORDS}” [D1], as said in [D2].", {"judge/announce": answer_for("Ada", because=reasons)}
    )
    places = [[(str(one), one.anchor) for one in point.places] for point in result.summary.brief.because]
    assert places == [
        [("D1 a/report.md", "D1")],  # too short for a quotation
        [("D1 a/report.md:2", "D1-L2")],
        [("D2 Report", "D2")],
    ]
