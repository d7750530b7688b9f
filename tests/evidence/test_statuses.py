"""From a cited URL to its status, on a web with every kind of page; what the model says is given."""

import pytest

from moot.evidence import Fetcher, FetchLimits, Finding, Judgement, Page, decide
from tests.kit import clock
from tests.kit.pages import SENTENCE, kept_readers, running
from tests.kit.waiting import PATIENCE

readers = pytest.fixture(scope="module", autouse=True)(kept_readers)
UNRELATED = "Sourdough needs flour, water, salt, warmth and a patient baker."
OPPOSITE = "Since the streets were closed to private cars, buses of the old town have been late every day."


def judged(supports: str, quote: str) -> Judgement:
    return Judgement.model_validate({"supports": supports, "quote": quote, "explanation": "read", "confidence": 0.7})


@pytest.mark.parametrize(
    ("path", "body", "judgement", "status"),
    [
        ("/good", "", judged("supports", SENTENCE), "confirmed"),
        ("/hop/3", "", judged("supports", SENTENCE), "confirmed"),
        ("/good", "", judged("supports", "Buses have been twice as fast since then."), "unjudged"),
        ("/body", OPPOSITE, judged("contradicts", OPPOSITE), "contradicted"),
        ("/body", OPPOSITE, judged("supports", SENTENCE), "unjudged"),
        ("/body", OPPOSITE, judged("contradicts", ""), "unjudged"),
        ("/body", UNRELATED, judged("says_nothing", ""), "not_there"),
        ("/body", "", judged("supports", SENTENCE), "unjudged"),
        ("/status/404", "", None, "fabricated"),
        ("/first/404-410", "", None, "fabricated"),
        ("/first/404-200", "", judged("supports", SENTENCE), "confirmed"),
        ("/status/403", "", None, "unjudged"),
        ("/status/503", "", None, "unjudged"),
        ("/slow", "", None, "unjudged"),
        ("/endless", "", None, "unjudged"),
        ("/loop", "", None, "unjudged"),
        ("/to", "", None, "unjudged"),
    ],
)
def test_status(path: str, body: str, judgement: Judgement | None, status: str) -> None:
    async def run() -> Finding:
        limits = FetchLimits(bytes=1_000_000, seconds=PATIENCE, reading_seconds=PATIENCE, gap=0, pause=0)
        async with running() as web, Fetcher(limits, allow_loopback=True) as fetcher:
            web.body, web.location = body.encode(), "http://192.168.0.1/admin"
            found = await fetcher.fetch(web.url(path))
            return decide(found, judgement if isinstance(found, Page) else None)

    assert clock.run(run()).status == status
