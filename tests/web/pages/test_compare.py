"""Two debates side by side, over HTTP."""

import re
from pathlib import Path
from typing import Any

import httpx

import moot
from moot.testing import Scripted
from moot.web.pages.compare import _flat
from tests.kit import arenas
from tests.kit.duels import MODEL
from tests.kit.library import Runs, text_of
from tests.kit.servers import serving


def test_a_fork_and_where_it_parts(client: httpx.Client, runs: Runs) -> None:
    one, other = runs["duel"], runs["fork"]
    text = text_of(client.get(f"/compare?a={one.name}&b={other.name}"))
    pairs = zip(one.entries(), other.entries(), strict=True)
    first = next(left.seq for left, right in pairs if not left.same_as(right))
    assert first > 8
    assert "They asked the same question." in text
    assert f"{other.name} was forked from {one.name} at entry 7." in text
    assert f"Up to entry {first - 1} both logs say the same" in text
    assert "First, duel Yes, on the reasons given (8 to 6)" in text
    assert "Second, duel No, not this time (7 to 5)" in text
    assert "Nothing: the settings are the same" in text
    swapped = text_of(client.get(f"/compare?a={other.name}&b={one.name}"))
    assert f"{other.name} was forked from {one.name}" in swapped


def test_settings_that_differ(client: httpx.Client, runs: Runs) -> None:
    text = text_of(client.get(f"/compare?a={runs['duel'].name}&b={runs['stopped'].name}"))
    assert "max_calls not set 5" in text
    assert "No verdict yet" in text
    assert text.count(f"Ada, debater ({MODEL}); Bo, debater ({MODEL}); Kim, judge ({MODEL})") == 2
    answer = client.get(f"/compare?a={runs['duel'].name}&b={runs['arena'].name}")
    unlike = text_of(answer)
    assert "They asked different questions." in unlike
    assert "protocol duel arena" in unlike
    assert "<code>debaters." not in answer.text
    assert "they are of different protocols" in unlike
    same = text_of(client.get(f"/compare?a={runs['duel'].name}&b={runs['duel'].name}"))
    assert "Nowhere: both logs say the same" in same


def test_settings_are_told_by_their_place() -> None:
    people = [{"name": "Ada", "aim": "x"}, {"name": "Bo"}]
    assert dict(_flat({"judges": people})) == {"judges": "Ada, Bo", "judges.Ada.aim": "x"}
    given = {"a": {"b": [1, 2], "c": [{"d": None}, {"d": "x"}]}, "e": {}}
    assert dict(_flat(given)) == {"a.b": "1, 2", "a.c.1.d": "None", "a.c.2.d": "x", "e": "{}"}


def parted(folder: Path, **settings: Any) -> str:
    """Where a plain arena parts from one with these settings."""
    one, other = (moot.find_run(arenas.arena(folder, **given)[0].run) for given in ({}, settings))
    with serving(folder) as site, site.client() as client:
        text = text_of(client.get(f"/compare?a={one.name}&b={other.name}"))
    return text.split("Where they diverge ")[1].split(" Compare the first with another")[0]


def test_two_debates_part_at_what_is_said_and_not_at_who_was_cast(tmp_path: Path) -> None:
    otherwise = [{**one, "personality": "Quite another."} for one in arenas.AGENTS]
    told = {"bo/propose": arenas.proposal("Sell the machines.")}
    text = parted(tmp_path / "runs", replies=told, agents=otherwise, seed=2)
    assert re.fullmatch(
        r"Up to entry \d+ both logs say the same\. Then: Bo proposal · #\d+ Buy faster .* Bo proposal · #\d+ Sell .*",
        text,
    )


def test_the_same_said_under_other_names_is_no_parting(tmp_path: Path) -> None:
    words = dict(zip(("uma", "vic", "wil"), arenas.WORDS.values(), strict=True)) | {"wil": "Sell the tests."}

    def said_by_others(request: moot.Request) -> Scripted:
        part, _, at = request.key.partition("/")
        return arenas.proposal(words[part]) if at == "propose" else arenas.plain_reply(request)

    agents = [{"name": part.capitalize(), "personality": "Another."} for part in words]
    text = parted(tmp_path / "runs", agents=agents, plain=said_by_others)
    assert re.fullmatch(
        r"Up to entry \d+ both logs say the same\. Then: Cy proposal .* Delete .* Wil proposal .* Sell the tests\. .*",
        text,
    )
