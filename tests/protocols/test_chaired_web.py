"""A chaired debate on a web of its own: every kind of page gets the status that the rules give it."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.chaired.payloads import Verification
from tests.kit import clock
from tests.kit.chaired import config_of, model_of, of_type
from tests.kit.duels import assert_sound
from tests.kit.pages import SENTENCE, running

BUSES = "Buses run on time since the streets were closed to cars."
WHALES = "Blue whales dive deeper than submarines ever went."
JUDGED = {
    "supports": {"supports": "supports", "quote": SENTENCE},
    "contradicts": {"supports": "contradicts", "quote": SENTENCE},
    "silent": {"supports": "says_nothing", "quote": ""},
}
PAGES = {
    "/good": "confirmed",
    "/good?contradicts": "contradicted",
    "/good?silent": "not_there",
    "/first/404-410": "fabricated",
    "/status/403": "unjudged",
    "/slow": "unjudged",
    "/endless": "unjudged",
    "/to": "unjudged",
}


def judge(request: moot.Request) -> Any:
    text = request.messages[-1].content
    kind = next((word for word in ("contradicts", "silent") if f"?{word}" in text), "supports")
    return JUDGED[kind] | {"explanation": "Read.", "confidence": 0.8}


def test_every_kind_of_page_gets_its_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_ALLOW_LOOPBACK_FETCH", "1")

    async def debate() -> tuple[moot.Result, dict[str, int], str]:
        async with running() as web:
            web.location = "http://10.1.2.3/secret"
            cites = [{"url": web.url(page), "title": "T"} for page in PAGES]
            said = " ".join(
                f"{(WHALES if 'silent' in page else BUSES)} [{number}]" for number, page in enumerate(PAGES, 1)
            )
            opening = {"thought": "", "type": "opening_statement", "content": said, "sources": cites}
            plain = {"thought": "", "type": "opening_statement", "content": f"{BUSES} [1]", "sources": cites[:1]}
            later = {"thought": "", "type": "new_point", "content": f"{BUSES} [1]", "sources": cites[:1]}
            answers: dict[str, Any] = {"promoter@opening/turn": opening, "detractor@opening/turn": plain}
            answers |= {f"{role}@r1/turn": later for role in ("promoter", "detractor")}
            places = [f"promoter.opening.{n}" for n in range(1, 9)]
            places += ["detractor.opening.1", "promoter.r1.1", "detractor.r1.1"]
            answers |= {f"verifier@{place}{version}/check": judge for place in places for version in ("", ".again")}
            model = model_of(answers)
            config = config_of(tmp_path, evidence={})
            result = await moot.run(config, models={model.name: model})
            return result, dict(web.asked), web.url("")

    result, asked, base = clock.run(debate())
    assert (result.status, result.reason) == ("done", None)
    run = moot.find_run(result.run)
    checks = [entry.data for entry in of_type(run, "verification_result")]
    found = {data.url: data for data in checks if isinstance(data, Verification)}
    assert {url.removeprefix(base): data.status for url, data in found.items()} == PAGES
    assert found[f"{base}/good"].quote == SENTENCE.rstrip(".")
    # Fetched once each, but for what seems not to exist, which is looked at twice.
    assert asked == {"/good": 3, "/first/404-410": 2, "/status/403": 1, "/slow": 1, "/endless": 1, "/to": 1}
    assert [entry.target_seq for entry in of_type(run, "redaction")] == [2]
    # A replay needs no network: the pages are in the journal.
    assert_sound(run)
