"""Nobody in a chaired debate is sent what is not theirs: a canary in every reply, looked for in every request."""

import asyncio
import re
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.testing import ScriptedModel
from tests.kit.chaired import GOOD, QUOTE, config_of, ordinary, readings
from tests.kit.examples import examples

CANARY = re.compile(r"canary\[([^\]]+)\]")
PUBLIC = re.compile(r"(promoter|detractor)@[\w.]+/turn|audience@\w+/(questions|view)|chair@[\w.]+/(clarify|decision)")
TO_ASSESSOR = re.compile(r"reporter@\w+/(summary|post|post-again)")
TO_BOTH = "chair@closing/unresolved"
THOUGHT = "a canary of a private thought"
CLAIM_OF = re.compile(r"verifier@(promoter|detractor)\.(\w+)\.1/check")


def canaried(request: moot.Request, *, asks: bool, interrupts: bool) -> Any:
    mark, what = f"canary[{request.key}]", request.key.rpartition("/")[2]
    if what in ("turn", "turn-again"):
        if interrupts and request.agent.endswith("@r1"):
            return {"thought": THOUGHT, "type": "clarification_request", "content": f"What? {mark}", "sources": []}
        reply: Any = ordinary(request)
        sources = [{"url": GOOD, "title": f"T {mark}", "claim": f"Trams {mark}"}] if reply["sources"] else []
        return reply | {"thought": THOUGHT, "content": f"{reply['content']} {mark}", "sources": sources}
    simple: dict[str, Any] = {
        "check": {"supports": "supports", "quote": QUOTE, "explanation": mark, "confidence": 1},
        "conduct": {"breach": "none", "words": "", "reason": mark},
        "clarify": {"answer": mark},
        "questions": {"questions": [{"to": "promoter", "question": mark}] if asks else []},
        "go-on": {"goes_on": True, "reason": mark},
        "unresolved": {"points": [mark]},
        "decision": {
            "promoter_case": mark,
            "detractor_case": mark,
            "outcome": "draw",
            "because": [mark],
            "objection": mark,
            "next": mark,
            "answer": mark,
        },
        "view": {"conclusion": f"{mark} " + "word " * 220 + "#2 #3"},
        "summary": mark,
        "post": mark,
        "post-again": mark,
    }
    return readings(request, simple.get(what) or ordinary(request))


def allowed(key: str, request: moot.Request) -> bool:
    """Whether an agent may be sent what was replied at that key."""
    if key.partition("/")[0] == request.agent or PUBLIC.fullmatch(key):
        return True  # its own conversation, or said in public
    if key.startswith("verifier@"):
        # During the debate the chair alone is told.
        return request.key == "chair@conclusion/decision" or request.agent.startswith("reporter@")
    if key == TO_BOTH:
        return request.key.endswith("@closing/turn")
    return bool(TO_ASSESSOR.fullmatch(key)) and request.agent.startswith("assessor")


@examples(6)
@given(asks=st.booleans(), interrupts=st.booleans(), rounds=st.integers(1, 3))
def test_no_role_is_sent_what_is_not_its_own(asks: bool, interrupts: bool, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = ScriptedModel(lambda request: canaried(request, asks=asks, interrupts=interrupts))
        config = config_of(Path(folder), max_rounds=rounds)
        result = asyncio.run(moot.run(config, models={model.name: model}))
        assert (result.status, result.reason) == ("done", None)
        heard = set()
        for request in model.requests:
            for message in request.messages:
                assert message.role == "assistant" or THOUGHT not in message.content, request.key
                for key in CANARY.findall(message.content):
                    assert allowed(key, request), f"{request.key} was sent {key}"
                    heard.add((request.agent.partition("@")[0], key))
        # The net has to hold something.
        assert ("detractor", "promoter@opening/turn") in heard
        assert ("verifier", "promoter@opening/turn") in heard
        assert ("assessor", "reporter@summary/summary") in heard
        # The verifier sees a claim and a page, and nothing of the debate.
        for request in model.requests:
            if found := CLAIM_OF.fullmatch(request.key):
                keys = {key for message in request.messages for key in CANARY.findall(message.content)}
                assert {key.partition("@")[0] for key in keys} == {found[1]}
