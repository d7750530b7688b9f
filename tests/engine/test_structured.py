"""Structured replies are found leniently and checked strictly."""

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from moot.engine.play.reader import MOST_BEYOND, parse, read
from moot.engine.play.structured import Fault, instance_of, json_schema


class Scored(BaseModel):
    score: int = Field(ge=0, le=10)
    reasoning: str


GOOD = Scored(score=7, reasoning="clear")


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 7, "reasoning": "clear"}',
        '```json\n{"score": 7, "reasoning": "clear"}\n```',
        'Here is my score:\n\n{"score": 7, "reasoning": "clear"}\n\nI hope it helps {sincerely}.',
        '{"score": 7, "reasoning": "clear", "confidence": 0.9}',
        '{"score": 7, "reasoning": "clear"} and again {"score": 7, "reasoning": "clear"}',
        '{"verdict": "none"} {"score": 7, "reasoning": "clear"}',
        '{"score": 7.0, "reasoning": "clear"}',
        '{"score": 7, "reasoning": "clear",}',
        "{'score': 7, 'reasoning': 'clear'}",
        "Here's my score: {'score': 7.0, 'reasoning': \"clear\",}. It's fair, isn't it?",
        '{score: 7, reasoning: "clear"}',
        "{“score”: 7, “reasoning”: “clear”}",
        '{"Score": 7, "REASONING": "clear"}',
        "**Score:** 7/10\n**Reasoning:** clear",
    ],
)
def test_one_answer_is_found(text: str) -> None:
    assert parse(Scored, text) == GOOD


class Nested(BaseModel):
    verdict: str
    sources: list[dict[str, str]] = []
    inner: Scored | None = None


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "so", "sources": [{"verdict": "not mine"}, {"url": "https://a.exa',
        '{"verdict": "so", "sources": [{"verdict": "not mine"}',
        '{"verdict": "so", "sources": [{"verdict": "not mine"}], "inner": nul',
        '{"verdict": "so", "sources": [{"verdict": "not mine"}],  ',
        "{'verdict': 'so', 'sources': [{'verdict': 'not mine'}, ",
        '```json\n{"verdict',
        "{",
        "no object yet",
    ],
)
def test_a_cut_reply_is_no_answer_and_says_so(text: str) -> None:
    found = parse(Nested, text, cut=True)
    assert isinstance(found, Fault)
    assert "limit of its length" in found.reason


@given(st.integers(min_value=0, max_value=200))
def test_no_part_of_a_cut_reply_is_taken_for_the_whole(length: int) -> None:
    whole = json.dumps({"inner": {"score": 3, "reasoning": "a"}, "sources": [{"verdict": "b"}], "verdict": "mine"})
    found = parse(Nested, whole[:length], cut=True)
    assert found == parse(Nested, whole) if length >= len(whole) else isinstance(found, Fault)


def test_what_is_cut_again_is_taken_as_far_as_it_goes() -> None:
    def last(text: str) -> Nested | Fault:
        found = read(Nested, text, cut=True, last=True)
        return found if isinstance(found, Fault) else found.value

    begun = '{"verdict": "so", "sources": [{"verdict": "mine"}], "inner": {"score": 3, '
    assert last(begun) == Nested(verdict="so", sources=[{"verdict": "mine"}])
    assert last('{"verdict": "so", "sources": [{"verdict": "not m') == Nested(verdict="so")
    for text in (
        '"verdict": "so", "inner": null, ',
        '{"verdict": "so',
        '{"inner": null, "verdict": "so"',
        '{"inner": {"verdict": "not mine"}, "sources": [',
    ):
        assert isinstance(last(text), Fault), text


def test_an_answer_before_the_cut_is_taken() -> None:
    assert parse(Scored, '{"score": 7, "reasoning": "clear"} And {so', cut=True) == GOOD


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no complete JSON object"),
        ("7 out of 10", "no complete JSON object"),
        ('{"score": 7, "reasoning": "cut o', "no complete JSON object"),
        ('{"score": "7 or 8", "reasoning": "a text"}', "`score`"),
        ('{"score": 7.5, "reasoning": "a fraction"}', "`score`"),
        ("{'score': 7.5, 'reasoning': 'a fraction'}", "`score`"),
        ("{'score': 7, 'reasoning': 'a'} or {'score': 3, 'reasoning': 'b'}", "more than one"),
        ("{'score': 7, 'score': 3, 'reasoning': 'doubled'}", "twice"),
        ('{"SCORE": 7, "Score": 3, "reasoning": "doubled but for its case"}', "`score`"),
        ('{"score": 7, "reasoning": "no end}', "no complete JSON object"),
        ("{'score': 7, 'reasoning': 'cut o", "no complete JSON object"),
        ('{"score": true, "reasoning": "a truth"}', "`score`"),
        ('{"score": 11, "reasoning": "too high"}', "less than or equal to 10"),
        ('{"score": -1, "reasoning": "too low"}', "greater than or equal to 0"),
        ('{"score": null, "reasoning": "nothing"}', "`score`"),
        ('{"reasoning": "no score"}', "`score`"),
        ('{"score": 7, "reasoning": "a"} or {"score": 3, "reasoning": "b"}', "more than one"),
        ('{"score": 7, "score": 3, "reasoning": "doubled"}', "twice"),
        ('{"score": NaN, "reasoning": "not a number"}', "NaN"),
        ("[7]", "no complete JSON object"),
        ("{" * 5000, "no complete JSON object"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "recursion"),
    ],
)
def test_what_is_not_an_answer_is_told_why(text: str, says: str) -> None:
    found = parse(Scored, text)
    assert isinstance(found, Fault)
    assert says in found.reason


@pytest.mark.parametrize(
    ("text", "reasoning"),
    [
        ("{'score': 7, 'reasoning': 'it's clear'}", "it's clear"),
        ("{'score': 7, 'reasoning': 'it\\'s \"clear\"'}", 'it\'s "clear"'),
        ('{"score": 7, "reasoning": "one,}\ntwo",}', "one,}\ntwo"),
        ('{"score": 7, "reasoning": "he said "no" to it"}', 'he said "no" to it'),
        ("{“score”: 7, “reasoning”: “it’s “clear” to me”}", "it’s “clear” to me"),
        ('{"score": 7, "reasoning": "True, \'None\'",}', "True, 'None'"),
        (
            r'{"score": 7, "reasoning": "\(12 \div 2 = 6\), C:\users \"a\" \u00e9"}',
            r'\(12 \div 2 = 6\), C:\users "a" é',
        ),
        (
            r'{"score": 7, "reasoning": "\\(\frac{1}{2} \times 8\\) is\n\boxed{4}, \\neq 5"}',
            "\\(\\frac{1}{2} \\times 8\\) is\n\\boxed{4}, \\neq 5",
        ),
        ('{"score": 7, "reasoning": "said", "score": 7}', "said"),
    ],
)
def test_words_come_through_as_they_were_meant(text: str, reasoning: str) -> None:
    assert parse(Scored, text) == Scored(score=7, reasoning=reasoning)


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    assert isinstance(parse(Scored, text), Fault | Scored)


@given(st.integers(), st.text(), st.text(alphabet=st.characters(exclude_characters="{}")))
def test_a_number_is_the_one_that_was_given(score: int, reasoning: str, around: str) -> None:
    text = f"{around}{json.dumps({'score': score, 'reasoning': reasoning})}{around}"
    found = parse(Scored, text)
    if 0 <= score <= 10:
        assert found == Scored(score=score, reasoning=reasoning)
    else:
        assert isinstance(found, Fault)


class Inner(BaseModel):
    kind: Literal["a", "b"]
    weights: list[float]


class Outer(BaseModel):
    inner: Inner
    many: list[Inner] = Field(min_length=1)
    maybe: str | None


def test_schemas_are_closed_and_made_up_values_fit_them() -> None:
    schema = json_schema(Outer)
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["additionalProperties"] is False
    assert isinstance(parse(Outer, json.dumps(instance_of(schema))), Outer)


class Described(BaseModel):
    """For those who read this code."""

    title: str = Field(min_length=1, max_length=90, description="A name for it.")
    default: Inner | None = None
    description: list[Annotated[str, Field(min_length=20)]] = []


def test_a_schema_tells_a_model_nothing_that_was_not_written_for_it() -> None:
    schema = json_schema(Described)
    assert schema == {
        "$defs": {"Inner": json_schema(Outer)["$defs"]["Inner"]},
        "properties": {
            "title": {"description": "A name for it.", "maxLength": 90, "type": "string"},
            "default": {"anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}]},
            "description": {"items": {"minLength": 20, "type": "string"}, "type": "array"},
        },
        "required": ["title"],
        "type": "object",
        "additionalProperties": False,
    }


class Chosen(BaseModel):
    label: Literal["accept", "needs_changes"]
    percent: int = Field(ge=0, le=100)
    share: float | None = Field(default=None, ge=0, le=1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"label": "ACCEPT", "percent": 80}', Chosen(label="accept", percent=80)),
        ('{"label": "Needs changes", "percent": 0.8}', Chosen(label="needs_changes", percent=80)),
        ('{"label": "accept", "percent": 1, "share": 80}', Chosen(label="accept", percent=1, share=0.8)),
        ('{"label": "accept", "percent": 1.0, "share": 1}', Chosen(label="accept", percent=100, share=1)),
        ('{"label": "accept", "percent": "80%", "share": "80 %"}', Chosen(label="accept", percent=80, share=0.8)),
        ('{"label": "accept", "percent": "1%", "share": "0.5 %"}', Chosen(label="accept", percent=1, share=0.005)),
    ],
)
def test_a_word_in_another_case_and_a_share_for_a_percentage_cost_no_try(text: str, found: Chosen) -> None:
    assert parse(Chosen, text) == found


@pytest.mark.parametrize(
    "text",
    [
        '{"label": "not accept", "percent": 8}',
        '{"label": "accept", "percent": 8.5}',
        '{"label": "accept", "percent": "8.5 %"}',
        '{"label": "accept", "percent": "180%"}',
    ],
)
def test_what_means_something_else_is_no_spelling(text: str) -> None:
    assert isinstance(parse(Chosen, text), Fault)


class Named(BaseModel):
    name: str
    why: str = ""


class Same(BaseModel):
    why: str
    same: Literal["no", "yes"]


class Review(BaseModel):
    summary: str = ""
    label: Literal["accept", "reject", "needs_changes"] = "accept"
    objections: list[str] = Field(default=[], max_length=2)
    others: list[Named] = []
    best: Named | None = None
    same: Same | None = None
    of_2: list[str] = Field(default=[], max_length=2, alias="agent 2")
    choices: list[Literal["A", "B"]] = Field(default=[], max_length=2)
    none: list[str] = Field(default=[], max_length=0)
    places: list[int] = Field(default=[], max_length=1)
    points: int = Field(default=0, ge=0, le=10)
    days: float = 0
    sure: bool = False
    percent: int = Field(default=0, ge=0, le=100)
    share: float = Field(default=0, ge=0, le=1)
    verdict: Literal["reject", "accept", "accept in part"] = "reject"


class Ruling(BaseModel):
    label: Literal["accept", "reject"]


class Pair(BaseModel):
    reasons: str
    label: Literal["accept", "reject"]
    points: int


class Objections(BaseModel):
    objections: list[str]


@pytest.mark.parametrize(
    ("given", "meant", "note"),
    [
        ({"summary": ["One.", "Two", "three"]}, {"summary": "One. Two; three"}, "summary: list for a text"),
        ({"summary": {"first": "One.", "then": 2}}, {"summary": "One. 2"}, "summary: object for a text"),
        ({"summary": 7.0}, {"summary": "7"}, "summary: value for a text"),
        ({"summary": None}, {}, "summary: null for nothing"),
        ({"Summary": "So."}, {"summary": "So."}, "summary: name 'Summary'"),
        ({"label": "Needs changes"}, {"label": "needs_changes"}, "label: 'Needs changes' for a word"),
        ({"label": "need"}, {"label": "needs_changes"}, "label: 'need' for a word"),
        ({"label": "rejected"}, {"label": "reject"}, "label: 'rejected' for a word"),
        ({"label": "Reject: it leaks"}, {"label": "reject"}, "label: 'Reject: it leaks' for a word"),
        ({"verdict": "Accept in part."}, {"verdict": "accept in part"}, "verdict: 'Accept in part.' for a word"),
        ({"label": ["reject"]}, {"label": "reject"}, "label: word in a list of one"),
        ({"objections": "It leaks."}, {"objections": ["It leaks."]}, "objections: item for a list of one"),
        ({"objections": ["a", "", None]}, {"objections": ["a"]}, "objections: items that say nothing"),
        ({"objections": list("abc")}, {"objections": list("abc")}, "objections: 3 items, 2 were asked for"),
        ({"choices": ["A", "B", "A"]}, {"choices": ["A", "B"]}, "choices: the same choice again"),
        ({"choices": "B > a"}, {"choices": ["B", "A"]}, "choices: text for a list"),
        ({"none": ["A"]}, {}, "none: items where none can be"),
        ({"others": {"name": "Ada"}}, {"others": [{"name": "Ada"}]}, "others: item for a list of one"),
        ({"others": ["Ada"]}, {"others": [{"name": "Ada"}]}, "others.0: value for its object"),
        ({"best": "agent 2"}, {"best": {"name": "agent 2"}}, "best: value for its object"),
        ({"same": "no"}, {"same": {"why": "", "same": "no"}}, "same: value for its object"),
        ({"agent 2": list("abc")}, {"of_2": list("abc")}, "agent 2: 3 items, 2 were asked for"),
        ({"best": [{"name": "Ada"}]}, {"best": {"name": "Ada"}}, "best: object in a list of one"),
        ({"points": "seven"}, {"points": 7}, "points: 'seven' for a number"),
        ({"points": "7/10"}, {"points": 7}, "points: '7/10' for a number"),
        ({"points": "7 out of 10"}, {"points": 7}, "points: '7 out of 10' for a number"),
        ({"points": "7 points"}, {"points": 7}, "points: '7 points' for a number"),
        ({"points": [7]}, {"points": 7}, "points: number in a list of one"),
        ({"days": "2.5 days"}, {"days": 2.5}, "days: '2.5 days' for a number"),
        ({"sure": "Yes."}, {"sure": True}, "sure: 'Yes.' for a truth"),
        ({"sure": "**yes**, they do"}, {"sure": True}, "sure: '**yes**, they do' for a truth"),
        ({"percent": "85 percent"}, {"percent": 85}, "percent: '85 percent' for a number"),
        ({"review": {"sure": True}}, {"sure": True}, "the reply: object under 'review'"),
    ],
    ids=str,
)
def test_what_can_mean_only_one_thing_is_read_and_noted(given: Any, meant: Any, note: str) -> None:
    found = read(Review, json.dumps(given))
    assert not isinstance(found, Fault)
    assert found.value.model_dump(exclude_defaults=True) == meant
    assert found.notes == (note,)


def test_of_a_list_without_end_a_part_is_read() -> None:
    found = read(Review, json.dumps({"objections": list(map(str, range(MOST_BEYOND + 7)))}))
    assert not isinstance(found, Fault)
    assert len(found.value.objections) == MOST_BEYOND + 2
    assert found.notes == ("objections: 107 items, 2 were asked for, 5 left out",)


@pytest.mark.parametrize(
    ("shape", "text", "meant"),
    [
        (Objections, '["It leaks.", "It is slow."]', Objections(objections=["It leaks.", "It is slow."])),
        (
            Pair,
            "Seven is more.\n\n`label`: accept\n`points`: 7",
            Pair(reasons="Seven is more.", label="accept", points=7),
        ),
        (Pair, "1. reasons：x\n2. label：accept\n3. points：7", Pair(reasons="x", label="accept", points=7)),
        (Ruling, "Accept", Ruling(label="accept")),
        (Ruling, "After all of this: no braces.\n\n*Label*: reject\n", Ruling(label="reject")),
    ],
)
def test_a_reply_without_braces_is_read_if_it_says_every_part(shape: type[BaseModel], text: str, meant: Any) -> None:
    assert parse(shape, text) == meant


@pytest.mark.parametrize(
    "given",
    [
        {"label": "accept or reject"},
        {"label": "accept not"},
        {"label": "accept, or reject"},
        {"label": "accept - not reject"},
        {"label": "unacceptable"},
        {"label": "no"},
        {"choices": ["A", "B", "C"]},
        {"choices": "A < B"},
        {"label": "accept", "Label": "reject"},
        {"choices": "A, not B"},
        {"choices": "A, B, A"},
        {"verdict": "accept, or reject in part"},
        {"share": 8},
        {"places": [1, 2]},
        {"points": "7 or 8"},
        {"points": "7/5"},
        {"points": "7.5"},
        {"days": "3 weeks"},
        {"days": "3 million"},
        {"days": "1,500"},
        {"days": "4.000"},
        {"days": "1.000 days"},
        {"sure": "perhaps"},
        {"sure": "yes, and no"},
        {"sure": 1},
        {"best": ["Ada", "Bo"]},
        {"same": "perhaps"},
    ],
    ids=str,
)
def test_what_could_mean_two_things_is_a_fault(given: Any) -> None:
    assert isinstance(read(Review, json.dumps(given)), Fault)


def test_a_fault_says_everything_that_is_wrong() -> None:
    found = read(Review, json.dumps({"label": "perhaps", "points": 11, "sure": 1, "days": "soon"}))
    assert isinstance(found, Fault)
    assert [name for name in ("label", "points", "sure", "days") if f"`{name}`" not in found.reason] == []
