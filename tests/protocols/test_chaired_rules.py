"""Every rule that a program can check is broken once, and the chair rules."""

import re
from pathlib import Path
from typing import Any, cast

import pytest

from moot import verify
from moot.protocols.chaired.checks import faults
from moot.protocols.chaired.config import INTERRUPTIONS, STATEMENTS
from moot.protocols.chaired.rules import RULES, Record, Saying, uneven
from moot.protocols.chaired.rules import Line as Said
from tests.kit.chaired import ABSENT, CLAIM, FIXED, GOOD, WEAK, cite, hold, of_type, rulings, turn
from tests.kit.runs import asked

DOCS = Path(__file__).parents[2] / "docs" / "chaired.md"
RECORD = Record(
    {
        1: Said("chair", "setup", ()),
        3: Said("promoter", "opening_statement", (GOOD,)),
        4: Said("detractor", "opening_statement", (WEAK,), "Lanes are wide enough in 9 of 10 towns [1]."),
        5: Said("promoter", "new_point", (ABSENT,)),
    },
    redacted=frozenset({5}),
)


def saying(kind: str, content: str = "Words.", *urls: str, role: str = "promoter", **more: Any) -> Saying:
    marks = "" if kind == "source_challenge" else "".join(f" [{number}]" for number in range(1, len(urls) + 1))
    content += "" if "[1]" in content else marks
    return Saying(role, kind, content, tuple(urls), **more)


def broken(one: Saying, record: Record = RECORD) -> int | None:
    found = faults(one, record)
    return found[0].rule if found else None


@pytest.mark.parametrize(
    ("one", "rule"),
    [
        (saying("opening_statement", "Words.", GOOD), None),
        (saying("rebuttal", "Words.", GOOD, rebuttal_to=4), None),
        (saying("rebuttal", "Words.", GOOD, role="detractor", rebuttal_to=3), None),
        (saying("closing_statement"), None),
        # References.
        (saying("rebuttal", "Words.", GOOD), 4),
        (saying("rebuttal", "Words.", GOOD, rebuttal_to=99), 4),
        (saying("rebuttal", "Words.", GOOD, rebuttal_to=3), 4),
        (saying("rebuttal", "Words.", GOOD, rebuttal_to=1), 4),
        (saying("rebuttal", "Words.", GOOD, role="detractor", rebuttal_to=5), 14),
        # Labels and sources.
        (saying("conjecture", "Perhaps."), 9),
        (saying("conjecture", "[CONJECTURE] Perhaps."), None),
        (saying("conjecture", "[CONJECTURE] Perhaps.", rebuttal_to=4), 10),
        (saying("conjecture", "[CONJECTURE] Perhaps.", GOOD, rebuttal_to=4), None),
        (saying("rebuttal", "[CONJECTURE] Perhaps.", rebuttal_to=4), 10),
        (saying("rebuttal", "[CONJECTURE] Perhaps.", role="detractor", rebuttal_to=3), 10),
        (saying("new_point"), None),
        (saying("new_point", "[CONJECTURE] Perhaps.\n\nSurely."), None),
        (saying("new_point", "[CONJECTURE] Perhaps.\n\n[CONJECTURE] Or not."), None),
        (saying("closing_statement", "Words.", GOOD), None),
        # Whether a sentence needs a source is the chair's to say, and no pattern's.
        (saying("rebuttal", "I concede that.", rebuttal_to=4), None),
        (saying("rebuttal", "You are right; I concede that point.", rebuttal_to=4), None),
        (saying("rebuttal", "Your conclusion does not follow.", rebuttal_to=4), None),
        (saying("rebuttal", "I concede nothing. Even if it were 50 % cheaper, it would stand.", rebuttal_to=4), None),
        (saying("rebuttal", "The 9 of 10 towns of entry #4 are small ones.", rebuttal_to=4), None),
        (saying("new_point", "Trams are full [1]. Nobody knows why.", GOOD), None),
        # Computed figures.
        (saying("new_point", "It was 31 % [1]. That is 90 % [= 31 % × 3].", GOOD), None),
        (saying("rebuttal", "It is 10 of them [= 31 + something].", rebuttal_to=4), None),
        (saying("new_point", "Trams are full [1].\n\n[CONJECTURE] Perhaps by 20 per cent. Or by 30.", GOOD), None),
        # Citations.
        (saying("new_point", "Trams are full [2].", GOOD), 11),
        (saying("new_point", "Trams are full [1].", GOOD, WEAK), 11),
        (saying("new_point", "Trams are full [1, 2] and late [1–2].", GOOD, WEAK), None),
        (saying("new_point", "Full [1]. " * 17, GOOD), 4),
        # Addresses in the words.
        (saying("new_point", f"As {GOOD} says, trams are full [1].", GOOD), None),
        (saying("new_point", f"As {ABSENT} says, trams are full [1].", GOOD), 12),
        (saying("new_point", "As www.made-up.example says, trams are full [1].", GOOD), 12),
        (saying("new_point", "As pack.example/good says (see pack.example/good), trams are full [1].", GOOD), None),
        (saying("new_point", "Trams are full [1]; see doi:10.1000/made.up.", GOOD), 12),
        (saying("new_point", "Trams are full [1]; see пример.рф/трамвай.", GOOD), 12),
        (saying("closing_statement", f"I rest on {GOOD}."), None),
        (saying("closing_statement", f"I rest on {ABSENT}."), 12),
        (saying("conjecture", f"[CONJECTURE] Perhaps {GOOD} says so."), 12),
        (saying("clarification_request", f"Is it {ABSENT}?"), 12),
        (saying("closing_statement", "Words.", ABSENT), 4),
        (saying("new_point", "Words.", "a tale instead of an address"), 4),
        # Length.
        (saying("new_point", "word " * 301, GOOD), 4),
        (saying("new_point", "  ", GOOD), 4),
        # Challenges.
        (saying("source_challenge", "No.", WEAK, target=4, claim="lanes are wide enough"), None),
        (saying("source_challenge", "No.", WEAK, target=4, claim="dolphins steer trams"), None),
        (saying("source_challenge", "No.", WEAK, target=4), 15),
        # What is withdrawn is one's own, and stands.
        (saying("withdraw", "I was wrong.", target=3), None),
        (saying("withdraw", "I was wrong.", role="detractor", target=4, claim="wide enough in 9 of 10 towns"), None),
        (saying("withdraw", "I was wrong.", role="detractor", target=4, claim="Dolphins steer trams."), 4),
        (saying("withdraw", "I was wrong.", target=4), 4),
        (saying("withdraw", "I was wrong.", target=5), 14),
        (saying("withdraw", "I was wrong."), 4),
        (saying("source_challenge", "No.", target=4, claim="lanes are wide enough"), 15),
        (saying("source_challenge", "No.", GOOD, target=4, claim="lanes are wide enough"), 15),
        (saying("source_challenge", "No.", WEAK, claim="lanes are wide enough"), 15),
        (saying("source_challenge", "No.", GOOD, target=3, claim="lanes are wide enough"), 15),
    ],
)
def test_what_a_debater_may_not_say(one: Saying, rule: int | None) -> None:
    assert broken(one) == rule


def test_one_interruption_a_turn() -> None:
    types, _, _ = RECORD.moves("rebuttal", "detractor")
    again, _, _ = RECORD.moves("rebuttal", "detractor", interrupted=True)
    assert set(types) - set(again) == set(INTERRUPTIONS)


def test_both_sides_are_summed_up_at_equal_length() -> None:
    assert uneven("a " * 100, "b " * 120) is None
    assert uneven("a " * 40, "b " * 100) is not None


OFFENCES: dict[str, tuple[str, dict[str, Any], int, str]] = {
    "wrong type": ("promoter@opening/turn", turn("closing_statement", "I close."), 4, ""),
    "no reference": ("detractor@r1/turn", turn("rebuttal", "No.", GOOD), 4, "rule 4 ("),
    "made-up address": (
        "promoter@r1/turn",
        turn("new_point", "See https://made.up.example/ for it.", GOOD),
        12,
        "“Unmistakable-canary See https://made.up.example/ for it.”: a sentence names a page",
    ),
    "lone conjecture": (
        "detractor@r1/turn",
        turn("rebuttal", "[CONJECTURE] It may be so.", answers=2),
        10,
        "rule 10 (",
    ),
    "new source in closing": ("promoter@closing/turn", turn("closing_statement", "I close.", ABSENT), 4, "rule 4 ("),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_an_offending_reply_goes_back_once_and_is_struck(tmp_path: Path, name: str) -> None:
    key, offence, rule, _ = OFFENCES[name]
    marked = offence | {"content": f"Unmistakable-canary {offence['content']}"}
    if offence["content"].startswith("["):
        marked["content"] = f"{offence['content']} Unmistakable-canary"
    run, model = hold(tmp_path, {key: marked})
    asked = [request for request in model.requests if request.key in (key, f"{key}-again")]
    # A type that the phase does not have is not offered either, so that its shape is at fault.
    assert len(asked) == 2
    told = "`type`: Input should be 'opening_statement'" if name == "wrong type" else OFFENCES[name][3]
    assert told in asked[1].messages[-1].content
    [struck] = [data for data in rulings(run) if data.about == "struck"]
    assert (struck.rule, struck.against, struck.call) == (rule, key.partition("@")[0], key)
    assert "Unmistakable-canary" not in run.log_path.read_text("utf-8")


@pytest.mark.parametrize("name", ["no reference", "lone conjecture", "new source in closing"])
def test_a_reply_that_is_mended_stands(tmp_path: Path, name: str) -> None:
    key, offence, *_ = OFFENCES[name]
    place = key.partition("@")[2]
    kind = {"opening/turn": "opening_statement", "closing/turn": "closing_statement"}.get(place, "new_point")
    urls = () if kind == "closing_statement" else (GOOD,)
    run, _ = hold(tmp_path, {key: [offence, turn(kind, "Mended.", *urls)]})
    assert [data for data in rulings(run) if data.about == "struck"] == []
    assert [entry.call for entry in of_type(run, kind) if entry.content.startswith("Mended.")] == [f"{key}-again"]


@pytest.mark.usefixtures("reports_are_read")
def test_a_struck_turn_is_told_to_others_without_its_technical_reason(tmp_path: Path) -> None:
    """A weak model took the reason for a point of the debate, and repeated it as its own."""
    said = {**turn("opening_statement", ""), "content": "canary " * 401, "sources": []}
    run, model = hold(tmp_path, {"promoter@opening/turn": said})
    for document in run.path.iterdir():
        assert document.name == "calls.jsonl" or "canary" not in document.read_text("utf-8"), document.name
    assert "it has 401 words" in next(entry.content for entry in of_type(run, "ruling"))
    shown = next(one for one in model.requests if one.key == "detractor@opening/turn").messages
    told = "\n".join(message.content for message in shown)
    assert "The promoter's turn is struck under rule 4." in told
    assert "it has 401 words" not in told
    again = next(one for one in model.requests if one.key == "promoter@r1/turn").messages
    assert any("it has 401 words" in message.content for message in again), "the debater whom it concerns is told why"


def test_a_faulty_statement_comes_back_once_with_all_faults_and_then_stands(tmp_path: Path) -> None:
    """Those that code sees and those that the chair sees, each with its sentence and what would mend it."""
    content = "As I said in the 1990s, it is so [3]. It was 31 % [1]. Buses make people ill. You fool."
    said = {**turn("opening_statement", ""), "content": content, "sources": [cite(GOOD), cite(WEAK)]}
    judged = {
        "unsourced": [{"sentence": "Buses make people ill.", "mend": "Name a study."}],
        "reason": "It is rude.",
        "words": "You fool.",
        "breach": "ad_hominem",
    }
    run, model = hold(tmp_path, {"promoter@opening/turn": said, "chair@promoter.opening/conduct": judged})
    keys = [request.key for request in model.requests if request.key.startswith("promoter@opening/")]
    assert keys == ["promoter@opening/turn", "promoter@opening/turn-again"]
    told = asked(model, "promoter@opening/turn-again")
    for words in (
        "“As I said in the 1990s, it is so.”: it cites [3], and `sources` has 2",
        "source 2 is cited at no sentence",
        "“Buses make people ill.”: it states a new fact without a source. Name a study.",
        "“You fool.”: this attacks the person: speak of the argument. It is rude.",
    ):
        assert words in told
    opening = next(entry for entry in of_type(run, "opening_statement") if entry.speaker == "promoter")
    assert opening.content == content.replace(" [3]", "")
    assert [source.url for source in opening.sources] == [GOOD]
    found = [entry.data for entry in of_type(run, "ruling") if entry.target_seq == opening.seq]
    assert [(one.about, one.sentence) for one in found if one.about != "source"] == [  # type: ignore[union-attr]
        ("unsourced", "As I said in the 1990s, it is so."),
        ("unsourced", "Buses make people ill."),
        ("conduct", "You fool."),
    ]
    assert verify(run).faults == []


def test_faults_of_form_come_back_with_all_others(tmp_path: Path) -> None:
    tale, key = "Two thirds of all riders die.", "promoter@opening/turn"
    said = turn("opening_statement", f"Detractor: I agree.\n\n{tale} {CLAIM}", GOOD)
    judged: Any = {"unsourced": [{"sentence": tale, "mend": ""}], "breach": "none", "words": "", "reason": "New."}
    run, model = hold(tmp_path, {key: said, "chair@promoter.opening/conduct": judged})
    assert [one.key for one in model.requests if one.key.startswith("promoter@opening/")] == [key, f"{key}-again"]
    told = asked(model, f"{key}-again")
    assert tale in told and "it contains lines for" in told
    assert [one.data.codes for one in of_type(run, "irregular")] == [["impersonation"]]  # type: ignore[union-attr]
    assert [(one.about, one.sentence) for one in rulings(run)] == [("unsourced", tale)], "it stands"


def test_whether_a_figure_in_words_is_cited_is_the_chairs_to_say(tmp_path: Path) -> None:
    point = "Four thousand an hour is a lot in a day of eight hours [= 4,000 × 8]."
    names = {
        "unsourced": [{"sentence": point.partition(" [")[0], "mend": ""}],
        "reason": "New.",
        "words": "",
        "breach": "none",
    }
    answers = {"promoter@r1/turn": turn("new_point", point), "chair@promoter.r1/conduct": names}
    run, model = hold(tmp_path / "names", answers)
    read = asked(model, "chair@promoter.r1/conduct")
    assert "It computes with 4,000, and no sentence that cites a source has these digits." in read and CLAIM in read
    assert [one.about for one in rulings(run)] == ["unsourced"]
    cited = turn("opening_statement", "Trams carry 4.000 people an hour.", GOOD)
    run, model = hold(tmp_path / "cited", answers | {"promoter@opening/turn": cited})
    assert "It computes with" not in asked(model, "chair@promoter.r1/conduct")
    assert [one.about for one in rulings(run)] == ["unsourced"], "what the chair names is named"
    point = of_type(run, "new_point")[0].content
    assert point.endswith("[= 4,000 × 8 = 32000].")


def test_sources_beyond_the_most_are_a_fault_and_no_failure(tmp_path: Path) -> None:
    pages = [f"https://pack.example/{number}" for number in range(9)]
    run, model = hold(tmp_path, {"promoter@opening/turn": turn("opening_statement", CLAIM, *pages)})
    assert "it has 9 sources, and 8 are the most" in asked(model, "promoter@opening/turn-again")
    assert [one.rule for one in rulings(run) if one.about == "struck"] == [4]


@pytest.mark.parametrize(
    "tale", ["Two thirds of all riders die, which is [= 1 + 1] of three.", "Nine of ten drivers have fled to Oslo."]
)
def test_no_computation_and_no_citation_after_it_makes_a_fact_immune(tmp_path: Path, tale: str) -> None:
    names = {"unsourced": [{"sentence": tale, "mend": ""}], "reason": "New.", "words": "", "breach": "none"}
    said = turn("opening_statement", f"{tale} {CLAIM}", GOOD)
    run, _ = hold(tmp_path, {"promoter@opening/turn": said, "chair@promoter.opening/conduct": names})
    assert [(one.about, one.sentence) for one in rulings(run)] == [("unsourced", tale.replace("+ 1", "+ 1 = 2"))]


def test_the_audience_asks_two_questions_at_most(tmp_path: Path) -> None:
    said = ["word " * 61, f"What of {ABSENT}?", f"What of {GOOD}?", "Why?", "How?"]
    asks = {"questions": [{"to": "promoter", "question": one} for one in said]}
    run, model = hold(tmp_path, {"audience@r1/questions": asks})
    assert [one.content for one in of_type(run, "audience_question")] == [f"What of {GOOD}?", "Why?"]
    assert rulings(run) == []
    assert sum(request.key == "audience@r1/questions" for request in model.requests) == 1


BREACHES = [
    ("my opponent is a fool and a liar", "ad_hominem", 6, "attacks the person"),
    ("Idiot", "ad_hominem", 6, "attacks the person"),
    ("the detractor wants to tear down the town", "misrepresentation", 7, "misrepresents the other side"),
    ("The chair was wrong", "contests_ruling", 1, "rulings are final"),
    ("I'm sorry, but I can't assist with that.", "declines_to_argue", 4, "is no statement"),
]


@pytest.mark.parametrize(("words", "breach", "rule", "told"), BREACHES, ids=[one[0] for one in BREACHES])
def test_conduct_that_is_not_mended_is_ruled_on(tmp_path: Path, words: str, breach: str, rule: int, told: str) -> None:
    said = turn("rebuttal", f"As we heard, {words} {CLAIM}", GOOD, answers=3)
    judged = {"breach": breach, "words": words, "reason": "So it is."}
    run, model = hold(tmp_path, {"promoter@r1/turn": said, "chair@promoter.r1/conduct": judged})
    assert [(data.about, data.rule, data.against) for data in rulings(run)] == [("conduct", rule, "promoter")]
    assert told in asked(model, "promoter@r1/turn-again") and told in asked(model, "promoter@closing/turn")


def test_a_breach_that_the_chair_cannot_quote_is_none(tmp_path: Path) -> None:
    found = {"breach": "ad_hominem", "words": "words that nobody has said here", "reason": "I feel so."}
    run, _ = hold(tmp_path, {"chair@promoter.r1/conduct": found})
    assert rulings(run) == []


def test_a_new_point_in_a_closing_is_ruled_on_by_a_chair_who_has_read_the_record(tmp_path: Path) -> None:
    said = "And a thing that nobody has spoken of so far."
    answers = {
        "promoter@r1/turn": turn("new_point", f"{said} {CLAIM}", GOOD),
        "detractor@closing/turn": turn("closing_statement", said),
        "chair@conclusion/decision": {
            **cast("dict[str, Any]", FIXED["decision"]),
            "new_points": [said, "And a thing that no closing says."],
        },
    }
    run, model = hold(tmp_path, answers)
    [ruling] = [one for one in of_type(run, "ruling") if one.data.about == "conduct"]  # type: ignore[union-attr]
    [closing] = [one for one in of_type(run, "closing_statement") if one.speaker == "detractor"]
    assert (ruling.data.rule, ruling.data.against) == (4, "detractor")  # type: ignore[union-attr]
    assert ruling.target_seq == closing.seq
    asked = next(one for one in model.requests if one.key == "chair@conclusion/decision").messages[-1].content
    assert all(f"entry #{one.seq}," in asked for one in run.entries() if one.type in STATEMENTS)
    assert all("new_point_in_closing" not in str(one.schema) for one in model.requests)


def test_only_words_about_an_entry_that_is_shown_can_misrepresent_it(tmp_path: Path) -> None:
    answers = {
        "promoter@r1/turn": turn("new_point", f"The detractor says in #3 that trams fly. {CLAIM}", GOOD),
        "detractor@r1/turn": turn("new_point", CLAIM, GOOD),
    }
    _, model = hold(tmp_path, answers)
    asked = {one.key: one for one in model.requests if one.key.endswith("/conduct")}
    named, other = asked["chair@promoter.r1/conduct"], asked["chair@detractor.r1/conduct"]
    assert "entry #3, which it speaks of" in named.messages[-1].content
    assert "misrepresentation" in str(named.schema)
    assert "misrepresentation" not in str(other.schema)


ILL = "Many studies show that buses make people ill [=."  # what is no computation changes nothing
JUDGED = {
    # One that is there, one that cites a source, one that nobody said.
    "unsourced": [
        {"sentence": ILL, "mend": "Name one of the studies."},
        {"sentence": CLAIM, "mend": ""},
        {"sentence": "Cars are the cause of wars.", "mend": ""},
    ],
    "breach": "none",
    "words": "",
    "reason": "One states a fact.",
}


@pytest.mark.parametrize("mends", [True, False])
def test_a_fact_without_a_source_that_the_chair_sees_comes_back_once(tmp_path: Path, mends: bool) -> None:
    said = turn("new_point", f"{CLAIM} [1] {ILL} Your point does not follow.", GOOD)
    better = turn("new_point", f"{CLAIM} [1] Your point does not follow.", GOOD)
    answers: dict[str, Any] = {
        "promoter@r1/turn": said,
        "promoter@r1/turn-again": better if mends else said,
        "chair@promoter.r1/conduct": JUDGED,
    }
    run, model = hold(tmp_path, answers if mends else answers | {"chair@promoter.r1.again/conduct": JUDGED})
    told = asked(model, "promoter@r1/turn-again")
    assert f"“{ILL}”" in told and "Name one of the studies." in told
    assert CLAIM not in told and "Cars are the cause of wars." not in told
    keys = [one.key for one in model.requests if one.key.startswith("promoter@r1/")]
    assert keys == ["promoter@r1/turn", "promoter@r1/turn-again"], "once, and with all of it"
    [point] = [one for one in of_type(run, "new_point") if one.speaker == "promoter"]
    assert (point.content, point.call) == (answers["promoter@r1/turn-again"]["content"], "promoter@r1/turn-again")
    assert (ILL in point.content) != mends, "it stands, whether or not it was mended"
    found = of_type(run, "ruling")
    assert [one.data.sentence for one in found] == ([] if mends else [ILL])  # type: ignore[union-attr]
    for ruling in found:
        assert (ruling.data.about, ruling.data.rule, ruling.target_seq) == ("unsourced", 11, point.seq)  # type: ignore[union-attr]
        assert f"“{ILL}” in your entry {point.seq}" in asked(model, "promoter@closing/turn")
    assert verify(run).faults == []


def test_what_comes_back_worse_is_not_taken(tmp_path: Path) -> None:
    said = turn("opening_statement", f"{CLAIM} [1] {ILL}", GOOD)
    answers: dict[str, Any] = {
        "promoter@opening/turn": said,
        "promoter@opening/turn-again": turn("opening_statement", "word " * 401, GOOD),
        "chair@promoter.opening/conduct": JUDGED,
    }
    run, _ = hold(tmp_path, answers)
    opening = next(entry for entry in of_type(run, "opening_statement") if entry.speaker == "promoter")
    assert (opening.content, opening.call) == (said["content"], "promoter@opening/turn")
    assert [one.about for one in rulings(run)] == ["unsourced"], "an opening is never struck for a sentence"


def test_an_ordinary_debate_takes_no_more_requests(tmp_path: Path) -> None:
    _, model = hold(tmp_path)
    assert not [one.key for one in model.requests if "again" in one.key or one.attempt > 1]
    assert sum(one.key.endswith("/conduct") for one in model.requests) == 6, "one for each statement"


def test_the_table_in_the_docs_is_the_rules_of_the_program() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) \| .+ \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert [(int(number), words, kept) for number, words, kept in rows] == [
        (rule.number, rule.words, rule.kept) for rule in RULES.values()
    ]


def schema_of(model: Any, key: str) -> dict[str, Any]:
    found = next(one.schema for one in model.requests if one.key == key)
    return cast("dict[str, Any]", found["properties"])


def test_a_turn_offers_only_what_can_be_done_then(tmp_path: Path) -> None:
    _, model = hold(tmp_path, max_rounds=1)
    opening, turn_one, closing = (schema_of(model, f"promoter@{at}/turn") for at in ("opening", "r1", "closing"))
    assert list(opening) == ["thought", "type", "sources", "content"], "sources are chosen before they are cited"
    assert turn_one["type"]["enum"][:3] == ["new_point", "rebuttal", "conjecture"]
    assert turn_one["rebuttal_to_seq"]["anyOf"][0]["enum"] == [3]
    assert turn_one["target_seq"]["anyOf"][0]["enum"] == [2, 3], "its own to withdraw, the other's to challenge"
    assert closing["type"]["enum"] == ["closing_statement", "withdraw"]


def test_where_nothing_stands_there_is_nothing_to_rebut_or_withdraw(tmp_path: Path) -> None:
    struck = {f"{role}@opening/turn": "No." for role in ("promoter", "detractor")}
    run, model = hold(tmp_path, struck, max_rounds=1)
    offered = schema_of(model, "promoter@r1/turn")
    assert offered["type"]["enum"] == ["new_point", "conjecture", "clarification_request"]
    assert not {"rebuttal_to_seq", "target_seq", "claim"} & offered.keys()
    cue = next(one for one in model.requests if one.key == "promoter@r1/turn").messages[-1].content
    assert "No statement of the other side stands" in cue
    assert "withdraw" not in cue.casefold()
    assert [one.type for one in run.entries() if one.speaker == "promoter"] == ["new_point", "closing_statement"]


def test_no_entry_written_as_zero_is_no_entry(tmp_path: Path) -> None:
    point = turn("new_point", f"Something new. {CLAIM}", GOOD, answers=0, target_seq=0)
    run, _ = hold(tmp_path, {"promoter@r1/turn": point}, max_rounds=1)
    [entry] = [one for one in run.entries() if one.type == "new_point" and one.speaker == "promoter"]
    assert (entry.rebuttal_to_seq, entry.target_seq) == (None, None)
    assert not rulings(run)
