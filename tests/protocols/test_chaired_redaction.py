"""What was redacted is gone: from every later prompt, from every document, from every reader's view."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import moot
from moot.protocols.chaired.record import mask_of, readable
from moot.record.events import Wrote
from tests.kit.chaired import ABSENT, CANARY, GOOD, TALE, config_of, hold, model_of, of_type, tale_replies, turn
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound
from tests.kit.examples import examples

pytestmark = pytest.mark.usefixtures("reports_are_read")
AUDIT = ("log.jsonl", "calls.jsonl")


@st.composite
def debates(draw: st.DrawFn) -> dict[str, Any]:
    """A side tells the tale in some round, and others quote it in many ways before it is found out."""
    return {
        "liar": draw(st.sampled_from(["promoter", "detractor"])),
        "place": draw(st.sampled_from(["opening", "r1", "r2"])),
        "quote": draw(st.sampled_from([TALE, TALE[:60], f"“{CANARY}”, you say", TALE.upper()])),
        "challenged": draw(st.booleans()),
        "asks": draw(st.booleans()),
    }


@examples(1)
@given(debates())
@example({"liar": "promoter", "place": "r1", "quote": TALE, "challenged": True, "asks": True})
def test_what_was_redacted_is_in_no_later_prompt_and_no_document(debate: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model, since = model_of(tale_replies(debate)), list[int]()

        def follow(event: moot.Event) -> None:
            if isinstance(event, Wrote) and event.entry.type == "redaction":
                since.append(len(model.requests))

        config = config_of(Path(folder), max_rounds=2)
        result = asyncio.run(moot.run(config, models={model.name: model}, follow=follow))
        assert result.status == "done"
        run = moot.find_run(result.run)
        # The net has to hold something: the tale was told, heard, and struck once.
        assert CANARY in run.log_path.read_text("utf-8")
        assert len(since) == 1
        assert any(CANARY in message.content for one in model.requests[: since[0]] for message in one.messages)
        for request in model.requests[since[0] :]:
            for message in request.messages:
                assert not leaks(message.content), request.key
        for path in run.path.iterdir():
            if path.name not in AUDIT:
                assert not leaks(path.read_text("utf-8")), path.name
        shown = command("show", str(run.path))
        assert shown.code == 0
        assert not leaks(shown.out)
        assert "[REDACTED — a source of it is fabricated" in shown.out
        for role in ("chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor"):
            assert not leaks(command("show", str(run.path), "--as", role).out)
        for form in ("md", "html"):
            assert not leaks(command("export", str(run.path), "--to", form).out)
        [ruling] = of_type(run, "redaction")
        page = (run.path / "transcript.md").read_text("utf-8")
        assert "[REDACTED — a source of it is fabricated" in page.replace("\\", "")
        assert f"ruling {ruling.seq}" in page
        assert_sound(run)


def leaks(text: str) -> bool:
    return CANARY.casefold() in text.casefold() or "tram drivers in Oslo say" in text or "47.5%" in text


def test_what_was_said_before_a_struck_entry_is_no_quotation_of_it(tmp_path: Path) -> None:
    first = turn("opening_statement", "Four thousand people an hour go by tram in 2019.", GOOD)
    tale = turn("new_point", "Four thousand people an hour go by tram in 2019, and dolphins steer it by sonar.", ABSENT)
    model = model_of({"promoter@opening/turn": first, "promoter@r1/turn": tale})
    result = asyncio.run(moot.run(config_of(tmp_path), models={model.name: model}))
    entries = moot.find_run(result.run).entries()
    assert [one.content for one in readable(entries) if one.seq == 2] == [first["content"]]
    mask = mask_of(entries)
    assert mask.text("They go by tram in 2019, I say.") == "They go by tram in 2019, I say."
    assert mask.text("So and dolphins steer it by sonar, do they?") == "So [REDACTED], do they?"


def test_a_struck_statement_of_few_words_is_gone_as_well(tmp_path: Path) -> None:
    tale = turn("new_point", "Dolphins steer trams. [1] [2]", ABSENT, GOOD)
    quoting = turn("rebuttal", "So dolphins steer trams, do they?", answers=2)
    run, model = hold(tmp_path, {"promoter@r1/turn": tale, "detractor@r1/turn": quoting})
    texts = {path.name: path.read_text("utf-8") for path in run.path.iterdir() if path.name not in AUDIT}
    closing = next(at for at, one in enumerate(model.requests) if one.key == "chair@closing/unresolved")
    texts |= {one.key: "".join(message.content for message in one.messages) for one in model.requests[closing:]}
    assert [name for name, text in texts.items() if "dolphins steer trams" in text.casefold()] == []
    assert "So [REDACTED], do they?" in texts["detractor@closing/turn"]


def test_few_words_that_were_said_before_are_not_taken_away(tmp_path: Path) -> None:
    first = turn("opening_statement", "We know that trams run late.", GOOD)
    tale = turn("new_point", "Trams run late.", ABSENT)
    run, _ = hold(tmp_path, {"detractor@opening/turn": first, "promoter@r1/turn": tale})
    assert mask_of(run.entries()).text("It was said that trams run late.") == "It was said that trams run late."


PASSAGE = "Nitrogen dioxide falls off steeply with distance from a road"
INNOCENT = (
    f"{PASSAGE} [1]. CO2, PM2.5 and 12 % less traffic were on PostgreSQL slides in the 1990s. At the end of the day, "
    "price roads instead of banning cars [2]."
)


def test_the_innocent_sides_words_are_left_alone(tmp_path: Path) -> None:
    """Both quote a passage of the shipped pack and use the same terms; one of them made a source up."""
    air, pricing = "https://city-cars.example/air-quality", "https://city-cars.example/road-pricing"
    lie = (
        f"{PASSAGE} [1]. CO2, PM2.5 and 12 % of PostgreSQL since the 1990s, at the end of the day: dolphins did it [2]."
    )
    answers: dict[str, Any] = {
        "promoter@opening/turn": turn("opening_statement", lie, air, f"{air}-made-up"),
        "detractor@opening/turn": turn(
            "opening_statement", INNOCENT.replace("slides in the 1990s.", "slides in the 1990s [2]."), air, pricing
        ),
    }
    answers |= dict.fromkeys(
        [f"{role}@r1/turn" for role in ("promoter", "detractor")], turn("conjecture", "[CONJECTURE] Perhaps.")
    )
    for number in (1, 2, 3):
        judged = {"quote": PASSAGE, "explanation": "Read.", "supports": "supports", "confidence": 0.9}
        answers |= {f"verifier@{role}.opening.{number}/check": judged for role in ("promoter", "detractor")}
    run, model = hold(tmp_path, answers, topic="Cities should ban private cars.", evidence={"pack": "city-cars"})
    [redaction] = of_type(run, "redaction")
    assert redaction.target_seq == 2
    assert any(PASSAGE in text for text in redaction.data.spared)  # type: ignore[union-attr]
    said = next(one.content for one in run.entries() if one.seq == 3)
    assert [one.content for one in readable(run.entries()) if one.seq == 3] == [said]
    cue = next(one for one in model.requests if one.key == "chair@conclusion/decision").messages[-1].content
    assert said in cue
    transcript = (run.path / "transcript.md").read_text("utf-8").replace("\\", "")
    assert "price roads instead of banning cars" in transcript
    assert "dolphins did it" not in transcript
    assert mask_of(run.entries()).text("And dolphins did it, at the end of the day.") == (
        "And dolphins did it, at the end of the day."
    )  # four words of it, between others, are nobody's own
    quoted = mask_of(run.entries()).text(
        "Of “PostgreSQL since the 1990s, at the end of the day: dolphins did it” I say no."
    )
    assert "dolphins" not in quoted


def test_what_a_verified_source_bears_out_is_never_struck(tmp_path: Path) -> None:
    """The same sentence, first with a made-up source and then with one that says it."""
    sentence = "Trams carry four thousand people an hour in one lane."
    answers = {
        "promoter@r1/turn": turn("new_point", f"{sentence} [1]", ABSENT),
        "detractor@r1/turn": turn("new_point", f"{sentence} [1]", GOOD),
    }
    run, _ = hold(tmp_path, answers)
    [struck] = of_type(run, "redaction")
    shown = {one.seq: one.content for one in readable(run.entries())}
    own = next(one for one in of_type(run, "new_point") if one.speaker == "detractor")
    assert shown[own.seq] == own.content
    assert sentence not in shown[struck.target_seq]  # type: ignore[index]


def test_documents_are_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    tale = turn("new_point", TALE, ABSENT)
    model = model_of({"promoter@r1/turn": tale})
    result = asyncio.run(moot.run(config_of(tmp_path), models={model.name: model}))
    run = moot.find_run(result.run)
    kept = ("log.jsonl", "calls.jsonl", "config.yaml")
    before = {path.name: path.read_bytes() for path in run.path.iterdir()}
    assert {"transcript.md", "summary.md", "blog-post.md", "verifier-report.md", "assessor-report.md"} < set(before)
    for path in run.path.iterdir():
        if path.name not in kept:
            path.unlink()
    asyncio.run(moot.rebuild(run))
    assert {path.name: path.read_bytes() for path in run.path.iterdir()} == before
