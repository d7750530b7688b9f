"""What holds for every request of every protocol: fences, topic and language, and limits that are told."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import moot
from moot.engine.define.registry import get_protocol
from tests.kit.filler import brief_reply
from tests.kit.recorded import recorded
from tests.kit.snapshots import CASES, NOTES, SMALL

FENCE = re.compile(r"<<<([^\n]*) ([0-9a-f]{8})>>>\n.*?\n<<<end \2>>>", re.DOTALL)
CAST = re.compile(r" (?:by|of) \w+$")
LABELS = set(
    re.split(
        r" \| |\n\s+",
        """T# | account of the program | agreement | answer | answer A | answer B | attack A# | audience_conclusion
        black hat | blog-post.md | blue on A# | change | changes # | closing_statement | conclusion | conjecture
        critique | differences # | document D# | entry #, closing_statement | entry #, new_point
        entry #, opening_statement | entry #, ruling | entry #, which it speaks of | estimate A | estimate B
        estimate C | evidence | file | final_statement | findings | findings # | green hat | idea | idea #
        labels after round # | legal moves | lookup # for A | lookup # for B | move | move # | needs | new_point
        objections # | objections A | objections B | objections C | opening_statement | other side | page | plan
        position | position # | proposal | proposal # | proposal A | proposal B | proposal C | proposals #
        proposed modifications | proposed move | question | question # | ranking # | rebuttal | red hat
        rewritten plan | ruling after round # | sentences | speech #, against | speech #, for
        speech of the other side | statement | statement # | statement # for A | statement # for B | summary.md
        synthesis | text | think | turn | turn # | unresolved points | white hat | yellow hat""",
    )
)
"""The words of labels; numbers are #, and the cast's names are left out."""
WITHOUT_TOPIC = {"verifier"}
"""A verifier judges a sentence by a page: knowing what is debated could only sway it."""
STRICT = {"chaired"}
"""Debates in which code sends back what is too long."""
CHARACTERS_PER_WORD = 6
SENTENCE_WORDS = 25
ROOM = 3
"""A bound on a text leaves so many times the room that the words ask for, so that it cuts no sentence."""


@cache
def requests_of(name: str, *, small: bool) -> list[moot.Request]:
    return recorded(CASES[name], small=small, brief=True)


def role_of(request: moot.Request) -> str:
    return request.agent.partition("@")[0]


def texts_in(said: Any) -> Iterator[str]:
    if isinstance(said, Mapping):
        for one in said.values():
            yield from texts_in(one)
    elif isinstance(said, list):
        for one in said:
            yield from texts_in(one)
    elif isinstance(said, str) and said.count(" ") >= 5:
        yield said


@pytest.mark.parametrize("name", CASES)
def test_what_others_wrote_stands_inside_fences(name: str) -> None:
    requests, case = requests_of(name, small=False), CASES[name]
    before = recorded(replace(case, rejudged=False), brief=True) if case.rejudged else []
    written: dict[str, set[str]] = {}
    for request in (*before, *requests):
        written.setdefault(role_of(request), set()).update(texts_in(brief_reply(request)))
    inside = 0
    for request in requests:
        others = {text for role, texts in written.items() if role != role_of(request) for text in texts}
        for message in request.messages:
            if message.role == "assistant":
                continue
            outside = FENCE.sub("", message.content)
            assert [text for text in others if text in outside] == [], request.key
            inside += sum(text in message.content for text in others)
    assert inside, "somebody is shown what others wrote"


@pytest.mark.parametrize("name", CASES)
def test_labels_are_fixed_words_and_numbers(name: str) -> None:
    sent = [message.content for request in requests_of(name, small=False) for message in request.messages]
    found = {CAST.sub("", re.sub(r"#?\d+", "#", label)) for text in sent for label, _ in FENCE.findall(text)}
    assert found
    assert found - LABELS == set()


@pytest.mark.parametrize(("name", "small"), [*((name, False) for name in CASES), *((name, True) for name in SMALL)])
def test_everybody_is_told_topic_and_language_first(name: str, small: bool) -> None:
    first: dict[str, moot.Request] = {}
    for request in requests_of(name, small=small):
        first.setdefault(request.agent, request)
    assert [one.key for one in first.values() if "Write in " not in one.messages[0].content] == []
    topics = [CASES[name].topic.rstrip(".?")]
    without = {
        role_of(request)
        for request in first.values()
        if not any(topic in "\n".join(message.content for message in request.messages) for topic in topics)
    }
    assert without <= WITHOUT_TOPIC


@pytest.mark.parametrize("name", CASES)
def test_the_parts_of_a_form_are_asked_for_in_the_order_of_its_schema(name: str) -> None:
    for request in requests_of(name, small=False):
        form = [*(request.schema or {}).get("properties", {})]
        told = [one for one in re.findall(r"^- `(\w+)`", request.messages[-1].content, re.MULTILINE) if one in form]
        assert told == sorted(told, key=form.index), request.key


def bounds_in(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[int]:
    """The bounds on free texts."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if schema.get("type") == "string" and "maxLength" in schema:
        yield schema["maxLength"]
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from bounds_in(part, root)
    if "items" in schema:
        yield from bounds_in(schema["items"], root)


@pytest.mark.parametrize("name", CASES)
def test_a_bound_leaves_three_times_the_room_that_the_words_ask_for(name: str) -> None:
    shaped = [request for request in requests_of(name, small=False) if request.schema is not None]
    assert shaped
    for request in shaped:
        bounds = list(bounds_in(request.schema or {}, request.schema or {}))
        if not bounds:
            continue
        told = [int(count) for count in re.findall(r"(\d+) words", request.messages[-1].content)]
        most = max(told, default=SENTENCE_WORDS)
        assert max(bounds) >= ROOM * CHARACTERS_PER_WORD * most, request.key
        assert min(bounds) >= ROOM * CHARACTERS_PER_WORD * SENTENCE_WORDS, request.key


@pytest.mark.parametrize("name", CASES)
def test_no_limit_is_enforced_that_was_not_told(name: str) -> None:
    """Replies are sent back for their length with the number that was allowed: it stands in the request before.
    Bounds in characters are far beyond the words that are asked for, and tested above."""
    requests = recorded(CASES[name], long=True)
    first = {request.key: request for request in requests if request.attempt == 1}
    seen = 0
    for request in requests:
        fault = request.messages[-1].content
        again = request.attempt > 1 or request.key.endswith("/turn-again")
        if not again or not (limits := re.findall(r"(?:may have|at most|limit of) (\d+)\b(?! characters)", fault)):
            continue
        told = "\n".join(message.content for message in first[request.key.removesuffix("-again")].messages)
        assert all(re.search(rf"\b{limit}\b", told) for limit in limits), f"{request.key}: {fault}"
        seen += 1
    assert seen or name not in STRICT


NUMBER = re.compile(r"\d+")
"""Entries have other numbers where lookups are among them."""


def with_tool(name: str) -> Mapping[str, Any]:
    """A tool that works everywhere, for a protocol that takes any."""
    case = CASES[name]
    found = case.settings | {"documents": case.settings.get("documents", [NOTES]), "tools": ["search"]}
    return {} if get_protocol(case.protocol).lookups.refused else found


@pytest.mark.parametrize("name", [name for name in CASES if with_tool(name) and not CASES[name].rejudged])
def test_a_request_that_offers_lookups_has_what_is_asked_afterwards(name: str) -> None:
    case = CASES[name]
    settings = dict(with_tool(name))
    offered = [one for one in recorded(replace(case, settings=settings), brief=True) if one.tools]
    del settings["tools"]
    asked = {one.key: one for one in recorded(replace(case, settings=settings), brief=True) if one.attempt == 1}
    assert offered
    for request in offered:
        key, _, number = request.key.partition("/lookup/")
        read = request.messages[-1:] if number == "1" else request.messages
        told = [NUMBER.sub("#", "\n".join(one.content for one in read)) for read in (asked[key].messages[-1:], read)]
        assert told[0] in told[1], request.key
