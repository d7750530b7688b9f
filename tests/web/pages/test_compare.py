"""Two debates side by side, over HTTP."""

import re

import httpx

from moot.web.pages.compare import _flat
from tests.scripts import MODEL
from tests.web.library import Runs, text_of


def test_a_fork_and_where_it_parts(client: httpx.Client, runs: Runs) -> None:
    one, other = runs["duel"], runs["fork"]
    text = text_of(client.get(f"/compare?a={one.name}&b={other.name}"))
    pairs = zip(one.entries(), other.entries(), strict=True)
    first = next(left.seq for left, right in pairs if not left.same_as(right))
    assert first > 8
    assert "They asked the same question." in text
    assert f"{other.name} was forked from {one.name} at entry 8." in text
    assert f"Up to entry {first - 1} both logs say the same" in text
    assert "First, duel Ada wins, Ada 8, Bo 6" in text
    assert "Second, duel Bo wins, Ada 5, Bo 7" in text
    assert "Nothing: the settings are the same" in text
    swapped = text_of(client.get(f"/compare?a={other.name}&b={one.name}"))
    assert f"{other.name} was forked from {one.name}" in swapped


def test_settings_that_differ(client: httpx.Client, runs: Runs) -> None:
    text = text_of(client.get(f"/compare?a={runs['duel'].name}&b={runs['stopped'].name}"))
    assert "max_calls not set 5" in text
    assert "It was not" in text
    assert text.count(f"Ada, debater ({MODEL}); Bo, debater ({MODEL}); Kim, judge ({MODEL})") == 2
    unlike = text_of(client.get(f"/compare?a={runs['duel'].name}&b={runs['arena'].name}"))
    assert "They asked different questions." in unlike
    assert "protocol duel arena" in unlike
    assert "debaters.1" not in unlike
    assert "they are of different protocols" in unlike
    same = text_of(client.get(f"/compare?a={runs['duel'].name}&b={runs['duel'].name}"))
    assert "Nowhere: both logs say the same" in same


def test_the_picker_offers_the_same_question_first(client: httpx.Client, runs: Runs) -> None:
    def offered(query: str) -> list[str]:
        page = client.get(f"/compare{query}").text
        return re.findall(r'<h2 class="topic" dir="auto"><a href="/compare\?([^"]+)">', page)

    assert len(offered("")) == len(runs)
    first = f"a={runs['duel'].name}"
    found = offered(f"?{first}")
    assert len(found) == len(runs) - 1
    assert set(found[:2]) == {f"{first}&b={runs[name].name}" for name in ("stopped", "fork")}
    assert offered(f"?{first}&query=trams") == [f"{first}&b={runs['chaired'].name}"]
    assert client.get("/compare?a=nothing").status_code == 404


def test_settings_are_told_by_their_place() -> None:
    people = [{"name": "Ada", "aim": "x"}, {"name": "Bo"}]
    assert dict(_flat({"judges": people})) == {"judges": "Ada, Bo", "judges.Ada.aim": "x"}
    given = {"a": {"b": [1, 2], "c": [{"d": None}, {"d": "x"}]}, "e": {}}
    assert dict(_flat(given)) == {"a.b": "1, 2", "a.c.1.d": "None", "a.c.2.d": "x", "e": "{}"}
