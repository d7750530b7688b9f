"""What a question asks, as a model says it: what is accepted, what is sent back, and what debates make of it."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot
from moot.engine.play.frame import Framed, fault_of, frame_of
from moot.engine.play.structured import Failure
from moot.engine.staging.choosing import frame_first
from moot.errors import EmptyReply, Rejected
from moot.record.payloads import Frame, Header
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import Replies, assert_sound, calls_of, duel, full_script, play, said, small_config, take_up
from tests.kit.runs import entries

FRAMING = "judge@frame/frame"
SENT_BACK = {"Don't you think that we should sell?", "难道我们不应该再等等吗？", "회사를 팔아야 할까요?"}
"""Of the good frames, those whose claim has too few of the question's letters: half of the question is how it is asked,
or its short verb takes another form."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with a good frame."""

    question: str
    reply: dict[str, Any]

    def but(self, **changes: Any) -> Framed:
        return Framed.model_validate(self.reply | changes)

    @property
    def claims(self) -> bool:
        return bool(self.reply["kind"] == "yes_no")


def cases() -> dict[str, list[Case]]:
    """The questions by language."""
    stored = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text("utf-8"))
    return {language: [case(one) for one in some] for language, some in stored.items()}


def case(stored: dict[str, Any]) -> Case:
    question = stored.pop("q").strip()
    reply = {"question": stored.pop("asks", question), "kind": "yes_no", "options": [], "claim": "", "denial": ""}
    return Case(question, {**reply, "needs": "An answer.", "language": "English", **stored})


LANGUAGES = cases()
CASES = [one for some in LANGUAGES.values() for one in some]
CLAIMS = [one for one in CASES if one.claims]
CHOICES = [one for one in CASES if one.reply["options"]]
ABOUT = {one.question: one for one in CASES}
API = ABOUT["Should our API, which is public, be versioned by header?"]


def test_there_are_many() -> None:
    assert len(ABOUT) == len(CASES) >= 200
    assert len(LANGUAGES) >= 15
    kinds = {one.reply["kind"] for one in CASES} | {"many" for one in CHOICES if len(one.reply["options"]) > 2}
    assert kinds == {"yes_no", "choice", "many", "open", "number", "task", "text"}


def test_a_good_frame_is_accepted() -> None:
    assert {one.question for one in CASES if fault_of(one.but(), one.question)} == SENT_BACK
    assert len(SENT_BACK) <= 0.02 * len(CASES)
    for one in CASES:
        frame = frame_of(one.but(), one.question)
        assert (frame.kind, frame.options, frame.by) == (one.reply["kind"], one.reply["options"], "model")
        if one.claims and one.question not in SENT_BACK:
            assert (frame.claim, frame.denial) == (one.reply["claim"], one.reply["denial"])


def test_what_is_not_sure_may_be_left_out() -> None:
    for one in CLAIMS:
        reply = one.but(claim="", denial=" ")
        assert fault_of(reply, one.question) is None
        assert frame_of(reply, one.question).claim is None


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "Zebras have stripes.", "denial": "Zebras have no stripes."},
        {"denial": "Zebras have no stripes."},
        {"denial": ""},
        {"claim": ""},
        {"claim": "…", "denial": "?"},
        {"question": "Do zebras have stripes?"},
        {"question": ""},
        {"question": "?"},
    ],
)
def test_a_claim_about_something_else_is_left_out(changes: dict[str, str]) -> None:
    for one in CLAIMS:
        reply = one.but(**changes)
        assert fault_of(reply, one.question) is not None
        frame = frame_of(reply, one.question)
        assert (frame.kind, frame.claim, frame.denial, frame.options) == ("yes_no", None, None, [])


def test_a_claim_that_says_the_same_as_its_denial_is_left_out() -> None:
    for one in CLAIMS:
        reply = one.but(denial=f"“{one.reply['claim'].rstrip('.。।')}”!")
        assert fault_of(reply, one.question) is not None
        assert frame_of(reply, one.question).claim is None


def test_the_claim_of_another_question_is_left_out() -> None:
    """A short question in words that many have can take that of another."""
    pairs = [(one, other) for one, other in permutations(CLAIMS[::2], 2) if one.reply["claim"] != other.reply["claim"]]
    taken = [
        (one.question, other.question)
        for one, other in pairs
        if frame_of(one.but(claim=other.reply["claim"], denial=other.reply["denial"]), one.question).claim
    ]
    assert len(taken) <= len(pairs) / 1000, taken


def test_a_small_part_of_a_question_is_no_claim() -> None:
    for one in CLAIMS:
        words = one.reply["question"].split()
        for first, end in combinations(range(len(words) + 1), 2):
            part = " ".join(words[first:end])
            if len(part) <= 0.35 * len(one.reply["question"]):
                reply = one.but(claim=part, denial=f"not {part}")
                assert frame_of(reply, one.question).claim is None, part


def test_a_part_of_a_sentence_is_not_what_asks() -> None:
    """Otherwise a claim would need to have no more than the words of that part."""
    for part in ("header", "which is public", "be versioned by header?", "Should our API", "ader?", "API Should our"):
        reply = API.but(question=part, claim=part, denial=f"not {part}")
        assert fault_of(reply, API.question) is not None
        assert frame_of(reply, API.question).claim is None


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ("It is late. Should we go?", "Should we go?"),
        ("It is late. Should we go?", "It is late. Should we go"),
        ("It is late\nShould we go?", "Should we go?"),
        ("A plan\nthat goes on.\nShould we go?", "A plan that goes on."),
        ("“Should we go?” he asks.", "Should we go?"),
        ("Sans « papiers » – faut-il partir ?", 'Sans "papiers" - faut-il partir?'),
        ("他说谎了。应该辞职吗？", "应该辞职吗?"),
        ("Si llueve… ¿nos vamos?", "¿Nos vamos?"),
        ("Αν βρέξει, φεύγουμε;", "Αν βρέξει, φεύγουμε;"),
        ("क्या यह ठीक है? बताओ।", "क्या यह ठीक है"),
    ],
)
def test_a_sentence_may_be_copied_with_other_marks(question: str, quotation: str) -> None:
    assert fault_of(Framed(question=quotation, kind="open"), question) is None


def wrong_options(one: Case) -> Iterator[list[str]]:
    first, second, *_ = one.reply["options"]
    yield [first, "zebras"]
    yield [first, first]
    yield [first, f" {first.upper()} "]
    yield [first]
    yield []
    yield [f"{first} {second}{second}", second]


def test_options_that_the_question_does_not_name_are_left_out() -> None:
    for one in CHOICES:
        for options in wrong_options(one):
            reply = one.but(options=options)
            assert fault_of(reply, one.question) is not None, options
            frame = frame_of(reply, one.question)
            assert (frame.kind, frame.options, frame.claim) == ("open", [], None)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Should our API, which is public, be versioned?", ["our A", "ublic"]),
        ("Tea or coffee?", ["ea", "coffee"]),
        ("Allow 30 or 40 retries?", ["3", "4"]),
        ("Чай или кофе?", ["Ча", "кофе"]),
        ("C or Rust?", ["C++", "Rust"]),
    ],
)
def test_a_part_of_a_word_is_no_option(question: str, options: list[str]) -> None:
    assert frame_of(Framed(question=question, kind="choice", options=options), question).options == []


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("3回か4回か？", ["3回", "4回"]),
        ("AI和人类哪个好？", ["AI", "人类"]),
        ("Should we trust Let’s Encrypt or “Acme”?", ["Let's Encrypt", '"Acme"']),
        ("=== or ==?", ["===", "=="]),
        ("🐱 or 🐶?", ["🐱", "🐶"]),
        ("L'été ou l'hiver ?", ["été", "hiver"]),
    ],
)
def test_an_option_stands_in_any_script(question: str, options: list[str]) -> None:
    assert frame_of(Framed(question=question, kind="choice", options=options), question).options == options


def test_the_claim_of_a_choice_names_its_first_option() -> None:
    one = ABOUT["Should we buy or build the CRM?"]
    good = frame_of(one.but(), one.question)
    assert (good.claim, good.denial) == ("We should buy the CRM.", "We should build the CRM.")
    for claim, denial in (
        ("We should build the CRM.", "We should buy the CRM."),
        ("We should buy the CRM.", "We should not buy the CRM."),
        ("Buy zebras, because they are striped.", "Build zebras, because they are striped."),
    ):
        frame = frame_of(one.but(claim=claim, denial=denial), one.question)
        assert (frame.claim, frame.options) == (None, ["buy", "build"])


def test_other_kinds_have_neither_claim_nor_options() -> None:
    for kind in ("open", "number", "task", "text"):
        frame = frame_of(API.but(kind=kind, options=["API", "header"]), API.question)
        assert (frame.kind, frame.claim, frame.options) == (kind, None, [])
    assert frame_of(Failure("k", "no reply"), API.question) == Frame(by="nobody")


# Whole duels

PLAYED = [
    ABOUT[question]
    for question in (
        API.question,
        "هل العمل عن بعد أفضل من العمل في المكتب؟",
        "AI 会取代程序员吗？",
    )
]
STRIPED = {"claim": "Zebras have stripes.", "denial": "Zebras have no stripes."}
BAD: dict[str, dict[str, Any]] = {
    "another claim": STRIPED,
    "another question": {"question": "Do zebras have stripes?", "needs": "Zebras.", **STRIPED},
    "other options": {"kind": "choice", "options": ["zebras", "stripes"], **STRIPED},
    "the same twice": {"claim": "Zebras.", "denial": "Zebras"},
}


def framed(folder: Path, one: Case, reply: Scripted | list[Scripted], **settings: Any) -> tuple[Frame, ScriptedModel]:
    """The frame of a duel in which a model replies so, which must be sound, and the model."""
    replies: Replies = {FRAMING: reply}
    result, model = duel(folder, replies, topic=one.question, claim=None, reports=True, **settings)
    assert result.status == "done", result.reason
    assert_sound(moot.find_run(result.run))
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.frame is not None
    for part in ("A", "B"):
        assert one.question in first_request(model, part)
    report = (result.stored.path / "report.html").read_text("utf-8")
    shown = json.dumps(result.document(), ensure_ascii=False) + report[: report.index('<section class="call">')]
    later = [request for request in model.requests if request.key != FRAMING]
    prompts = "".join(message.content for request in later for message in request.messages)
    logged = json.dumps(said(entries(result)), ensure_ascii=False)
    assert "zebra" not in (shown + prompts + logged).casefold()
    if header.frame.claim is not None and not header.frame.options:
        assert header.frame.claim in first_request(model, "A") and header.frame.claim in first_request(model, "B")
    return header.frame, model


def first_request(model: ScriptedModel, part: str) -> str:
    request = next(one for one in model.requests if one.key.startswith(f"{part}/"))
    return "\n".join(message.content for message in request.messages)


def framings(model: ScriptedModel) -> int:
    return sum(request.key == FRAMING for request in model.requests)


@pytest.mark.parametrize("one", PLAYED, ids=lambda one: one.question)
def test_a_good_frame_is_one_request(tmp_path: Path, one: Case) -> None:
    frame, model = framed(tmp_path, one, one.reply)
    assert (frame.claim, frame.denial) == (one.reply["claim"], one.reply["denial"])
    assert framings(model) == 1
    assert len(model.requests) == calls_of(2) + 1
    asked = model.requests[0]
    assert asked.key == FRAMING and one.question in asked.messages[-1].content


@pytest.mark.parametrize("how", BAD)
def test_a_bad_frame_is_sent_back_once(tmp_path: Path, how: str) -> None:
    for place, one in enumerate(PLAYED):
        bad = one.reply | BAD[how]
        frame, model = framed(tmp_path / f"{place}", one, [bad, one.reply])
        assert (frame.claim, framings(model)) == (one.reply["claim"], 2)
    frame, model = framed(tmp_path, API, [API.reply | BAD[how]] * 2)
    assert (frame.claim, frame.options, framings(model)) == (None, [], 2)
    assert len(model.requests) == calls_of(2) + 2


def test_a_wrong_kind_leaves_the_words_of_the_question(tmp_path: Path) -> None:
    frame, model = framed(tmp_path, API, API.reply | {"kind": "open", **STRIPED})
    assert (frame.kind, frame.claim, framings(model)) == ("open", None, 1)
    tea = ABOUT["Tea or coffee?"]
    frame, model = framed(tmp_path, tea, tea.reply | {"kind": "yes_no", "claim": "", "denial": ""})
    assert (frame.kind, frame.claim, frame.options) == ("yes_no", None, [])
    assert "The answer to “Tea or coffee?” is yes." in first_request(model, "A")


@pytest.mark.parametrize("one", PLAYED, ids=lambda one: one.question)
def test_without_a_frame_the_question_stands_as_it_is(tmp_path: Path, one: Case) -> None:
    frame, model = framed(tmp_path, one, ["Let me think.", "{}", "?"])
    assert (frame, framings(model)) == (Frame(by="nobody"), 3)
    yes = f"The answer to “{one.question}” is yes."
    assert yes in first_request(model, "A") and yes in first_request(model, "B")


def test_a_model_that_says_nothing_frames_nothing(tmp_path: Path) -> None:
    frame, _ = framed(tmp_path, API, [EmptyReply("it said nothing")] * 20)
    assert frame == Frame(by="nobody")


@pytest.mark.parametrize(
    "settings",
    [
        {"claim": "It is so."},
        {"claim": "It is so.", "denial": "It is not so."},
        {"options": ["this", "that"]},
        {"kind": "yes_no"},
        {"kind": "open"},
        {"no_frame": True},
    ],
)
def test_no_request_where_it_is_given(tmp_path: Path, settings: dict[str, Any]) -> None:
    for turns in (2, 3):
        result, model = duel(tmp_path, turns=turns, **{"claim": None, **settings})
        assert result.status == "done", result.reason
        assert len(model.requests) == calls_of(turns) == 4 * turns + 6
        planned = asyncio.run(moot.plan(small_config(tmp_path, turns, **{"claim": None, **settings})))
        assert planned.calls == calls_of(turns)


def test_the_plan_has_the_request() -> None:
    assert asyncio.run(moot.plan(small_config("unused", claim=None))).calls == calls_of(2) + 1


def test_a_small_model_frames_nothing(tmp_path: Path) -> None:
    model = ScriptedModel(full_script(2), small=True)
    result = play(small_config(tmp_path, topic=API.question, claim=None), model)
    assert FRAMING not in {request.key for request in model.requests}
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.frame == Frame(by="nobody")
    assert API.question in first_request(model, "A") and API.question in first_request(model, "B")


def test_the_first_who_can_frames(tmp_path: Path) -> None:
    small = ScriptedModel({}, name="scripted/small", small=True)
    able = ScriptedModel({"A@frame/frame": API.reply})
    config = small_config(tmp_path, topic=API.question, claim=None, max_calls=1, roles={"judge": small.name})
    header = entries(play(config, small, able))[0].data
    assert isinstance(header, Header) and header.frame and header.frame.claim == API.reply["claim"]


def test_nobody_chooses_a_protocol_with_a_small_model(tmp_path: Path) -> None:
    for small, asked in ((True, 0), (False, 3)):
        model = ScriptedModel({"framer@frame/frame": ["?"] * 3}, small=small)
        frame, records = asyncio.run(frame_first(small_config(tmp_path), {model.name: model}))
        assert frame == Frame(by="nobody")
        assert sum(record.kind == "reply" for record in records) == len(model.requests) == asked
        assert bool(records) == bool(asked)


# What is on record

WHOLE: Replies = {**full_script(2), FRAMING: {**API.reply}}


def stopped_at(folder: Path, records: int, **settings: Any) -> moot.Run:
    """A framed duel of whose journal so many records are left, and of its log nothing: it was killed."""
    whole = play(small_config(folder / "whole", topic=API.question, claim=None, **settings), ScriptedModel(WHOLE))
    run = moot.find_run(whole.run)
    place = folder / "killed"
    place.mkdir()
    (place / "config.yaml").write_bytes((run.path / "config.yaml").read_bytes())
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    (place / "calls.jsonl").write_bytes(b"".join(lines[:records]))
    (place / "log.jsonl").write_bytes(b"")
    return moot.find_run(str(place))


def test_a_frame_is_not_paid_again_after_a_kill(tmp_path: Path) -> None:
    for records in range(6):
        run = stopped_at(tmp_path / f"{records}", records)
        paid = {record.key for record in run.records() if record.kind == "reply"}
        model = ScriptedModel(WHOLE)
        assert take_up(run, model).status == "done"
        assert not paid & {request.key for request in model.requests}
        assert len(model.requests) == calls_of(2) + 1 - len(paid)
        assert_sound(run)
    assert FRAMING in paid, "the last of these was killed after the frame"


@pytest.mark.parametrize("small", [True, False])
def test_another_model_does_not_change_who_framed(tmp_path: Path, small: bool) -> None:
    script = {key: reply for key, reply in WHOLE.items() if key != FRAMING or not small}
    first = ScriptedModel(script, small=small)
    run = moot.find_run(play(small_config(tmp_path, topic=API.question, claim=None, max_calls=3), first).run)
    before = said(run.entries())[0]
    other = ScriptedModel(full_script(2), name="scripted/other", small=not small)
    take_up(run, first, other, model=other.name, max_calls=100)
    assert other.requests and FRAMING not in {request.key for request in other.requests}
    assert said(run.entries())[0] == before
    assert_sound(run)


def test_a_fork_keeps_the_frame(tmp_path: Path) -> None:
    run = moot.find_run(duel(tmp_path, {FRAMING: API.reply}, topic=API.question, claim=None)[0].run)
    for at in (0, 3):
        fork = moot.fork(run, at)
        model = ScriptedModel(full_script(2))
        assert take_up(fork, model).status == "done"
        assert fork.entries()[0].data == run.entries()[0].data
        assert_sound(fork)


def test_the_header_stays_first_if_a_model_fails(tmp_path: Path) -> None:
    failing = ScriptedModel({FRAMING: Rejected("not today")}, name="scripted/failing")
    roles = {"judge": [failing.name, "scripted/replies"]}
    config = small_config(tmp_path, topic=API.question, claim=None, roles=roles)
    result = play(config, failing, ScriptedModel(WHOLE))
    assert [one.type for one in entries(result)][:2] == ["header", "switch"]
    assert_sound(moot.find_run(result.run))


# Other debates about a claim

PARTS: dict[str, Callable[[str], bool]] = {
    "persuasion": lambda key: key.startswith("proponent/"),
    "oxford": lambda key: key.startswith(("proposer/", "listener")),
    "socratic": lambda key: key.startswith("questioner/"),
}


def begun(protocol: str, folder: Path, topic: str, reply: dict[str, Any] | None, **settings: Any) -> tuple[Any, Any]:
    """The header of such a debate, which ends with the first request after its frame, and its model."""

    def script(request: moot.Request) -> Scripted:
        return reply if reply and request.key.endswith("@frame/frame") else Rejected("that is enough")

    model = ScriptedModel(script)
    result = play(moot.configure(protocol, topic=topic, model=model.name, out=str(folder), **settings), model)
    header = entries(result)[0].data
    assert isinstance(header, Header) and header.topic == topic
    return header, model


@pytest.mark.parametrize("protocol", PARTS)
def test_a_statement_is_its_own_claim(protocol: str, tmp_path: Path) -> None:
    for one in CLAIMS:
        if one.question in ("The moon landing was staged.", "Земля плоская.", "地球是平的。", "Sell the company"):
            header, model = begun(protocol, tmp_path, one.question, None)
            assert (header.frame.claim, header.frame.by) == (one.question, "user")
            assert not any("frame" in request.key for request in model.requests)
            assert PARTS[protocol](model.requests[0].key)
            assert one.question in "".join(message.content for message in model.requests[0].messages)


@pytest.mark.parametrize("protocol", PARTS)
def test_a_question_is_framed(protocol: str, tmp_path: Path) -> None:
    header, model = begun(protocol, tmp_path, API.question, API.reply)
    assert header.frame.claim == API.reply["claim"]
    framing, first, *_ = model.requests
    assert framing.key.endswith("@frame/frame") and PARTS[protocol](first.key)
    prompt = "".join(message.content for message in first.messages)
    assert API.question in prompt and API.reply["claim"] in prompt


@pytest.mark.parametrize("protocol", PARTS)
def test_a_choice_of_two_is_debated_in_its_own_words(protocol: str, tmp_path: Path) -> None:
    tea = ABOUT["Tea or coffee?"]
    header, model = begun(protocol, tmp_path, tea.question, tea.reply)
    assert (header.frame.options, header.frame.claim) == (["Tea", "coffee"], None)
    prompt = "".join(message.content for message in model.requests[1].messages)
    assert "The answer to “Tea or coffee?” is “Tea”." in prompt


@pytest.mark.parametrize("protocol", PARTS)
@pytest.mark.parametrize(
    "question", ["What is the best programming language?", "Should we use Postgres, MySQL or SQLite?"]
)
def test_nobody_is_for_or_against_an_open_question(protocol: str, question: str, tmp_path: Path) -> None:
    with pytest.raises(moot.ConfigError, match="`claim`") as refused:
        begun(protocol, tmp_path, question, ABOUT[question].reply)
    assert refused.value.key == "claim"
    assert moot.list_runs(str(tmp_path)) == []
    assert [*tmp_path.iterdir()] == []
    header, _ = begun(protocol, tmp_path, question, None, claim="It is Rust.")
    assert (header.frame.claim, header.frame.by) == ("It is Rust.", "user")
