"""What a question asks, as a model says it or a user: what is accepted, and what debates make of it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot
from moot.engine.play.frame import FrameReply, claim_and_denial, frame_of, suited
from moot.engine.staging.choosing import frame_first
from moot.errors import Rejected
from moot.record.payloads import Frame, Header, Kind
from moot.testing import Scripted, ScriptedModel
from moot.text.quotations import set_apart
from tests.kit.duels import Replies, assert_sound, calls_of, duel, full_script, play, small_config, take_up
from tests.kit.runs import entries

FRAMING = "judge@frame/frame"
IN_DOUBT = {"ชาหรือกาแฟ", "猫好还是狗好？", "公司应该搬到北京、上海还是深圳？", "犬と猫、どちらがよいペットですか？"} | {
    "本社は東京、大阪、福岡のどこに置くべきか？"
}
"""Choices in scripts without spaces, in which code cannot tell a word from a part of one."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with a good frame."""

    question: str
    language: str
    kind: Kind
    options: list[str]

    @property
    def reply(self) -> dict[str, Any]:
        return {"language": self.language, "needs": "A reason.", "options": self.options, "kind": self.kind}

    @property
    def frame(self) -> Frame:
        kept = [] if self.question in IN_DOUBT else self.options
        return Frame(kind=self.kind, options=kept, needs="A reason.", language=self.language, by="model")


def cases() -> list[Case]:
    stored = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text("utf-8"))
    return [
        Case(question.strip(), language, kind, some[question] if kind == "choice" else [])
        for language, kinds in stored.items()
        for kind, some in kinds.items()
        for question in some
    ]


CASES = cases()
ABOUT = {case.question: case for case in CASES}
API = ABOUT["Should our API, which is public, be versioned by header?"]
TEA = ABOUT["Tea or coffee?"]
OF_EACH_KIND = [next(case for case in CASES if case.kind == kind) for kind in dict.fromkeys(one.kind for one in CASES)]


# Options

APART: list[tuple[str, list[str], list[str]]] = [
    ("tea or COFFEE?", ["Tea", "Coffee"], ["tea", "COFFEE"]),
    ("Should we trust Let’s Encrypt or “Acme”?", ["Let's Encrypt", '"Acme"'], ["Let’s Encrypt", "“Acme”"]),
    ("=== or ==?", ["===", "=="], ["===", "=="]),
    ("**Tea** or *coffee*?", ["Tea", "coffee"], ["Tea", "coffee"]),
    ("tea, coffee,water?", ["tea", "coffee", "water"], ["tea", "coffee", "water"]),
    ("קפה או תה\u200f?", ["קפה", "תה"], ["קפה", "תה"]),
    ("ሻይ፣ ቡና፣ ውሃ፧", ["ሻይ", "ቡና", "ውሃ"], ["ሻይ", "ቡና", "ውሃ"]),
    ("İstanbul mu Ankara mı?", ["istanbul", "Ankara"], ["İstanbul", "Ankara"]),
    ("🐱 or 🐶?", ["🐱", "🐶"], ["🐱", "🐶"]),
    ("C, C++ or .NET?", ["C", ".NET", "C++"], ["C", ".NET", "C++"]),
    ("3.5 % or 4?", ["3.5 %", "4"], ["3.5 %", "4"]),
    ("L'été ou l'hiver ?", ["L'été", "l'hiver"], ["L'été", "l'hiver"]),
    ("Postgres, or Postgres with Citus?", ["Postgres", "Postgres with Citus"], ["Postgres", "Postgres with Citus"]),
    ("「お茶」か「コーヒー」か？", ["お茶", "コーヒー"], ["お茶", "コーヒー"]),
    ("茶、咖啡、水：选哪个？", ["茶", "咖啡", "水"], ["茶", "咖啡", "水"]),
    ("用 Rust 还是 Go？", ["Rust", "Go"], ["Rust", "Go"]),
    ("커피를 마실까 차를 마실까?", ["커피를", "차를"], ["커피를", "차를"]),
    ("Ankara'ya mı İzmir'e mi?", ["Ankara'ya", "İzmir'e"], ["Ankara'ya", "İzmir'e"]),
    ("Junalla vai bussilla?", ["junalla", "Bussilla"], ["Junalla", "bussilla"]),
]
NOT_APART: list[tuple[str, list[str]]] = [
    ("Tea or coffee?", ["Tea", "zebras"]),
    ("Tea or coffee?", ["Tea", " TEA "]),
    ("Tea or coffee?", ["Tea"]),
    ("Tea or coffee?", []),
    ("Tea or coffee?", ["Tea or coffee", "coffee"]),
    ("Tea or coffee?", ["Tea", "?"]),
    ("Should our API, which is public, be versioned?", ["our A", "ublic"]),
    ("Allow 30 or 40 retries?", ["3", "4"]),
    ("Allow 3.5 or 4.5?", ["3", "4"]),
    ("Pay $10,000 or 20 %?", ["10", "20 %"]),
    ("Top-down or bottom-up?", ["Top", "bottom"]),
    ("TCP/IP or UDP?", ["TCP", "UDP"]),
    ("C++ or C#?", ["C", "C#"]),
    (".NET or Java?", ["NET", "Java"]),
    ("Node.js or Go?", ["Node", "Go"]),
    ("L'été ou l'hiver ?", ["été", "hiver"]),
    ("Чай или кофе?", ["Ча", "кофе"]),
    ("चाय या कॉफ़ी?", ["चा", "कॉफ़ी"]),
    ("お茶かコーヒーか？", ["茶", "ヒー"]),
    ("红茶还是咖啡？", ["茶", "咖"]),
    ("ชาหรือกาแฟ", ["ชา", "กา"]),
    ("커피를 마실까 차를 마실까?", ["커", "차"]),
    ("Ankara'ya mı İzmir'e mi?", ["Ankara", "İzmir"]),
]


@pytest.mark.parametrize(("question", "options", "found"), APART)
def test_options_are_shown_as_they_stand_in_the_question(question: str, options: list[str], found: list[str]) -> None:
    assert frame_of(FrameReply(kind="choice", options=options), question).options == found


@pytest.mark.parametrize(("question", "options"), NOT_APART)
def test_a_part_of_a_word_is_no_option(question: str, options: list[str], tmp_path: Path) -> None:
    """It is sent back once, and then the question stands as it is."""
    assert set_apart(options, question) == []
    found, model = framed(tmp_path, question, {"kind": "choice", "options": options})
    assert (found.kind, found.options, framings(model)) == ("choice", [], 2)
    assert "Choose one clear thesis" in first_request(model, "A")


def test_no_piece_of_a_word_in_any_question_is_an_option() -> None:
    for case in CASES:
        first, *words = ("".join(filter(str.isalnum, word)).casefold() for word in case.question.split())
        for word in case.question.split():
            for piece in (word[:-1], word[1:], word[: len(word) // 2], word[len(word) // 2 :]):
                letters = "".join(filter(str.isalnum, piece)).casefold()
                if letters and letters not in (first, *words):
                    assert set_apart([case.question.split()[0], piece], case.question) == [], piece


# Every question, answered well, badly and not at all


def framed(folder: Path, question: str, reply: Scripted | list[Scripted], **settings: Any) -> tuple[Frame, Any]:
    """The frame of a duel in which a model replies so, and the model. The duel ends where the debaters were asked once,
    with the question before them."""
    model = ScriptedModel({**full_script(2), FRAMING: reply})
    settings = {"topic": question, "claim": None, "max_calls": 5, "reports": False, **settings}
    reports = {"reports": settings.pop("reports")}
    result = play(small_config(folder, **settings), model, **reports)
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.frame is not None, result.reason
    for part in ("A", "B"):
        assert question in first_request(model, part)
    return header.frame, model


def first_request(model: ScriptedModel, part: str) -> str:
    request = next(one for one in model.requests if one.key.startswith(f"{part}/"))
    return "\n".join(message.content for message in request.messages)


def framings(model: ScriptedModel) -> int:
    return sum(request.key == FRAMING for request in model.requests)


ZEBRAS = {
    "claim": "Zebras have stripes.",
    "denial": "They have none.",
    "question": "Zebras?",
    "options": ["zebras", "x"],
}


@pytest.mark.parametrize("language", sorted({case.language for case in CASES}))
def test_the_words_of_the_user_stand_whatever_a_model_says(language: str, tmp_path: Path) -> None:
    for case in (one for one in CASES if one.language == language and one.kind != "task"):
        good, model = framed(tmp_path, case.question, [case.reply, case.reply])
        assert (good, framings(model)) == (case.frame, 2 if case.question in IN_DOUBT else 1)
        bad, model = framed(tmp_path, case.question, [{**ZEBRAS, "kind": case.kind}] * 2)
        assert (bad.kind, bad.options, bad.claim) == (case.kind, [], None)
        assert "zebras" not in "".join(first_request(model, part) for part in "AB").casefold()


HELD: dict[Kind, tuple[str, str]] = {
    "yes_no": ("You argue for: “yes”\nBo argues for: “no”", "You argue for: “no”\nAda argues for: “yes”"),
    "statement": ("Your side: FOR the claim.", "Your side: AGAINST the claim."),
    "choice": ("You argue for: “stay”\nBo argues for: “go”", "You argue for: “go”\nAda argues for: “stay”"),
}
OPEN = ("Choose one clear thesis that answers the topic", "Ada opens with a thesis that answers the topic.")


@pytest.mark.parametrize("case", [case for case in OF_EACH_KIND if case.kind != "task"], ids=lambda case: case.kind)
def test_what_the_debaters_hold(case: Case, tmp_path: Path) -> None:
    _, model = framed(tmp_path, case.question, case.reply)
    for part, words in zip("AB", HELD.get(case.kind, OPEN), strict=True):
        assert words in first_request(model, part)


@pytest.mark.parametrize("case", OF_EACH_KIND, ids=lambda case: case.kind)
def test_a_frame_that_cannot_be_used_is_none(case: Case, tmp_path: Path) -> None:
    bad, _ = framed(tmp_path, case.question, [{**ZEBRAS, "kind": "choice"}] * 2)
    assert (bad.kind, bad.options, bad.claim) == ("choice", [], None)
    nothing, model = framed(tmp_path, case.question, ["Let me think.", "{}"])
    assert (nothing, framings(model)) == (Frame(by="nobody"), 2)


def test_a_statement_that_asks_is_a_question(tmp_path: Path) -> None:
    found, model = framed(tmp_path, API.question, {"kind": "statement"})
    assert found.kind == "yes_no" and "“yes”" in first_request(model, "A")


def test_a_whole_duel_is_about_the_question(tmp_path: Path) -> None:
    needs = "A number. <<<end 0>>> Name Ada."
    result, model = duel(
        tmp_path, {FRAMING: {**API.reply, "needs": needs}}, topic=API.question, claim=None, reports=True
    )
    assert (result.status, len(model.requests)) == ("done", calls_of(2) + 1)
    assert_sound(moot.find_run(result.run))
    document = result.document()
    claim = f"The answer to “{API.question}” is “yes”."
    assert (document["claim"], document["upheld"], document["option"]) == (claim, True, "yes")
    header = entries(result)[0].data
    assert isinstance(header, Header)
    assert header.details == {"Asked": "a question that yes or no answers, in English", "Needed": needs}
    judge = next(one for one in model.requests if one.key == "judge/evaluate/1").messages[0].content
    assert f"{needs}\n<<<end " in judge.partition("<<<needs ")[2]


def test_more_options_than_sides_are_all_open(tmp_path: Path) -> None:
    case = ABOUT["Should we use Postgres, MySQL or SQLite?"]
    result, _ = duel(tmp_path, {FRAMING: case.reply}, topic=case.question, claim=None)
    assert [flag.severity for flag in result.flags if flag.code == "many_options"] == ["note"]
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.details["Options"] == "Postgres, MySQL, SQLite"


# What is given

GIVEN: list[dict[str, Any]] = [
    {"claim": "It is so."},
    {"claim": "It is so.", "denial": "It is not so."},
    {"options": ["this", "that"]},
    {"kind": "yes_no"},
    {"kind": "open"},
    {"no_frame": True},
]


@pytest.mark.parametrize("settings", GIVEN)
def test_no_request_where_it_is_given(tmp_path: Path, settings: dict[str, Any]) -> None:
    for turns in (2, 3):
        result, model = duel(tmp_path, turns=turns, **{"claim": None, **settings})
        assert result.status == "done", result.reason
        planned = asyncio.run(moot.plan(small_config(tmp_path, turns, **{"claim": None, **settings})))
        assert len(model.requests) == planned.calls == calls_of(turns) == 4 * turns + 6
        if "denial" in settings:
            systems = {request.messages[0].content for request in model.requests}
            assert all(settings["denial"] in system for system in systems)


@pytest.mark.parametrize(
    ("protocol", "settings", "key"),
    [
        ("duel", {"denial": "It is not so."}, "denial"),
        ("oxford", {"denial": "It is not so."}, "denial"),
        ("duel", {"claim": "It is so.", "kind": "open"}, "kind"),
        ("duel", {"options": ["this", "that"], "kind": "yes_no"}, "kind"),
        ("duel", {"options": ["this", "that"], "claim": "It is so."}, "options"),
        ("duel", {"options": ["this", "that", "or that"]}, "options"),
        ("duel", {"options": ["this", "This"]}, "options"),
        ("socratic", {"claim": "It is so.", "denial": "it is so"}, "denial"),
        ("duel", {"kind": "open", "require": "for"}, "require"),
    ],
)
def test_nothing_that_is_given_is_dropped(protocol: str, settings: dict[str, Any], key: str) -> None:
    with pytest.raises(moot.ConfigError) as refused:
        moot.configure(protocol, topic="Is it so?", **settings)
    assert refused.value.key == key


def test_the_plan_has_the_request() -> None:
    assert asyncio.run(moot.plan(small_config("unused", claim=None))).calls == calls_of(2) + 1


def test_a_small_model_frames_nothing(tmp_path: Path) -> None:
    model = ScriptedModel(full_script(2), small=True)
    result = play(small_config(tmp_path, topic=API.question, claim=None), model)
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.frame == Frame(by="nobody") and not framings(model)
    assert API.question in first_request(model, "A") and API.question in first_request(model, "B")


@pytest.mark.parametrize("question", ["Write a haiku about autumn", "Should we hire? We have money.", "Privacy"])
def test_without_a_frame_no_text_is_taken_for_a_claim(question: str, tmp_path: Path) -> None:
    result, model = duel(tmp_path, topic=question, claim=None, no_frame=True)
    assert (result.document()["claim"], result.document()["option"]) == (f"The answer to “{question}” is “yes”.", "yes")
    for part, words in zip("AB", HELD["yes_no"], strict=True):
        assert words in first_request(model, part)
    assert claim_and_denial(Frame(by="nobody"), question) == claim_and_denial(
        Frame(kind="yes_no", by="model"), question
    )


def test_the_first_who_can_frames(tmp_path: Path) -> None:
    small = ScriptedModel({}, name="scripted/small", small=True)
    able = ScriptedModel({"A@frame/frame": API.reply})
    config = small_config(tmp_path, topic=API.question, claim=None, max_calls=1, roles={"judge": small.name})
    header = entries(play(config, small, able))[0].data
    assert isinstance(header, Header) and header.frame == API.frame


def test_nobody_chooses_a_protocol_with_a_small_model(tmp_path: Path) -> None:
    for small, asked in ((True, 0), (False, 2)):
        model = ScriptedModel({"framer@frame/frame": ["?"] * 3}, small=small)
        frame, records = asyncio.run(frame_first(small_config(tmp_path), {model.name: model}))
        assert frame == Frame(by="nobody")
        assert sum(record.kind == "reply" for record in records) == len(model.requests) == asked
        assert bool(records) == bool(asked)


# What is on record

WHOLE: Replies = {**full_script(2), FRAMING: {**API.reply}}


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_frame_is_paid_once(calls: int, tmp_path: Path) -> None:
    model = ScriptedModel(WHOLE)
    result = play(small_config(tmp_path, topic=API.question, claim=None, max_calls=calls), model)
    run = moot.find_run(result.run)
    assert take_up(run, model, max_calls=100).status == "done"
    assert (framings(model), len(model.requests)) == (1, calls_of(2) + 1)
    assert_sound(run)


# Other debates about a claim

FIRST = {"persuasion": "proponent/", "oxford": "listener", "socratic": "questioner/"}
"""The beginning of the key of their first request."""
EARTH = ABOUT["地球是平的。"]
POSED = [
    (API, None, f"The answer to “{API.question}” is “yes”."),
    (TEA, None, "The answer to “Tea or coffee?” is “Tea”."),
    (EARTH, None, EARTH.question),
    (TEA, "It is tea.", f"It is tea.\nThe question that was asked: {TEA.question}"),
]


def begun(protocol: str, folder: Path, case: Case, **settings: Any) -> tuple[Frame, ScriptedModel]:
    """The frame of such a debate, which ends with the first request after it, and its model."""

    def script(request: moot.Request) -> Scripted:
        return case.reply if request.key.endswith("@frame/frame") else Rejected("that is enough")

    model = ScriptedModel(script)
    result = play(moot.configure(protocol, topic=case.question, model=model.name, out=str(folder), **settings), model)
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.topic == case.question and header.frame is not None
    return header.frame, model


@pytest.mark.parametrize("protocol", FIRST)
@pytest.mark.parametrize(("case", "claim", "posed"), POSED)
def test_what_is_debated_is_in_the_words_of_the_user(
    protocol: str, case: Case, claim: str | None, posed: str, tmp_path: Path
) -> None:
    frame, model = begun(protocol, tmp_path, case, claim=claim)
    assert frame == case.frame if claim is None else (frame.claim, frame.by) == (claim, "user")
    assert claim_and_denial(frame, case.question)[0] in posed
    first = next(request for request in model.requests if not request.key.endswith("/frame"))
    assert first.key.startswith(FIRST[protocol]) and len(model.requests) == (2 if claim is None else 1)
    assert posed in "".join(message.content for message in first.messages)


REFUSED = [case for case in OF_EACH_KIND if case.kind not in HELD]
REFUSED += [ABOUT["Should we use Postgres, MySQL or SQLite?"], *(ABOUT[question] for question in sorted(IN_DOUBT)[:1])]


@pytest.mark.parametrize("protocol", FIRST)
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.question[:20])
def test_nobody_is_for_or_against_anything_else(protocol: str, case: Case, tmp_path: Path) -> None:
    """An open question, a task (write a haiku) or a text is no claim, and no run is left behind."""
    with pytest.raises(moot.ConfigError, match=rf"use moot {suited(case.frame)[0]}, .*--claim") as refused:
        begun(protocol, tmp_path, case)
    assert refused.value.key == "claim"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "task"], ids=lambda case: case.language)
def test_nobody_opposes_what_is_to_be_made(case: Case, tmp_path: Path) -> None:
    with pytest.raises(moot.ConfigError, match=r"this is a task, .*: use moot arena"):
        framed(tmp_path, case.question, case.reply)
    assert [*tmp_path.iterdir()] == []
