"""Contesting a verdict over HTTP: what is struck stands in the address, and the page says what moves."""

import re
from html import unescape

import httpx
import pytest

import moot
from moot.argument import Graph, formats
from moot.web.pages.contest import drawn
from tests.kit.library import Runs, text_of


def strike(client: httpx.Client, run: moot.Run, query: str = "") -> httpx.Response:
    return client.get(f"/runs/{run.name}/contest{query}")


def links_of(page: str) -> dict[str, str]:
    """The links of the map by what they say they do."""
    found = re.findall(r'<a class="strike[^"]*" href="([^"]*)" aria-label="([^"]*)">', page)
    return {unescape(label): unescape(href) for href, label in found}


def test_every_argument_and_every_relation_can_be_struck(client: httpx.Client, runs: Runs) -> None:
    run = runs["persuasion"]
    framework = (run.result() or {})["framework"]
    page = strike(client, run).text
    boxes = re.findall(r'<input type="checkbox" name="strike" value="([^"]+)"', page)
    relations = [f"{one['source']}:{one['target']}" for one in framework["relations"]]
    assert boxes[: len(framework["arguments"])] == [one["id"] for one in framework["arguments"]]
    assert sorted(boxes[len(framework["arguments"]) :]) == sorted(relations)
    words = {"rebut": "attack"}
    labels = {f"Strike {one['id']}" for one in framework["arguments"]}
    labels |= {
        f"Strike the {words.get(one['kind'], one['kind'])} of {one['source']} on {one['target']}"
        for one in framework["relations"]
    }
    assert set(links_of(page)) == labels
    assert "Nothing is struck yet" in page


@pytest.mark.parametrize("struck", [["A3"], ["A7"], ["A6:A1"], ["A3", "A4", "A6"], ["A1"], ["A4", "A5:A1"]])
def test_the_verdict_is_that_of_moot_contest(client: httpx.Client, runs: Runs, struck: list[str]) -> None:
    run = runs["persuasion"]
    found = moot.contest(run, reject=struck)
    several = strike(client, run, "?" + "&".join(f"strike={one}" for one in struck))
    assert several.text == strike(client, run, f"?strike={','.join(struck)}").text
    text = text_of(several)
    said = {
        "PRO": "The case for it is stronger",
        "OPP": "The case against it is stronger",
        None: "The moderator would have to decide",
    }
    assert f"By the scores {said[found.before]}" in text
    assert f"With that struck {said[found.after]} {'moved' if found.moved else 'as before'}" in text
    for line in found.summary.split("\n"):
        assert line in text
    for change in found.contest.changes:
        row = re.search(rf'<th scope="row" class="arg">{change.argument}</th>.*?</tr>', several.text)
        assert row is not None
        score = "gone" if change.after is None else f"{change.after.score:.3f}"
        assert f">{score}</td>" in row[0]


def test_striking_one_at_a_time_leads_there_and_back(client: httpx.Client, runs: Runs) -> None:
    run = runs["persuasion"]
    page, query = strike(client, run).text, ""
    for label in ("Strike A3", "Strike the undercut of A5 on A1"):
        query = links_of(page)[label].partition("#")[0]
        page = strike(client, run, query).text
    assert query == "?strike=A3&strike=A5%3AA1"
    assert page.count("checked>") == 2
    for label in ("Put the undercut of A5 on A1 back", "Put A3 back"):
        page = strike(client, run, links_of(page)[label].partition("#")[0]).text
    assert page == strike(client, run).text


def test_what_cannot_be_struck_is_refused(client: httpx.Client, runs: Runs) -> None:
    for query in ("?strike=A99", "?strike=A1:A99", "?strike=:"):
        assert strike(client, runs["persuasion"], query).status_code in (400, 422), query
    answer = strike(client, runs["duel"])
    assert answer.status_code == 422
    assert "has no argument graph yet" in answer.text


def test_what_goes_with_a_struck_argument_is_crossed_out_too(client: httpx.Client, runs: Runs) -> None:
    """The step that A5 undercuts rests on A3 and A4: without them, its undercut of A1 is gone."""
    run = runs["persuasion"]
    assert "The undercut of A5 on A1 goes too" in moot.contest(run, reject=["A3", "A4"]).summary
    page = strike(client, run, "?strike=A3&strike=A4").text
    crossed = set(re.findall(r'<a class="strike(?: edge)? struck" href="[^"]*" aria-label="([^"]*)"', page))
    supports = {f"Strike the support of {one} on A1" for one in ("A3", "A4")}
    assert crossed == {"Put A3 back", "Put A4 back", *supports, "Strike the undercut of A5 on A1"}


def test_a_graph_that_decided_nothing_says_what_moves(client: httpx.Client, runs: Runs) -> None:
    run = runs["duel"]
    run.write("arguments.json", formats.write(Graph.of("abc", [("a", "b")]), "json"))
    try:
        text = text_of(strike(client, run))
        assert "see which scores move" in text
        assert "Taken from the debate These arguments did not decide it" in text
        assert "With that struck 1 argument stands otherwise" in text_of(strike(client, run, "?strike=a"))
        text = text_of(strike(client, run, "?strike=c"))
        assert "With that struck No score moves" in text
        assert "as before" not in text
    finally:
        run.path.joinpath("arguments.json").unlink()


def test_names_and_texts_in_the_map_are_only_text() -> None:
    name = 'x"><script>&'
    graph = formats.read("b\n#\n", "tgf").with_argument("a", text='<a href="#strike-0">')
    graph = graph.with_argument(name, text="</svg><script>").with_relations(attacks=[(name, "a"), ("b", "a")])
    picture = str(drawn(graph, {}, {"a": "<b>"}, [name], graph.without([name])))
    assert "<script" not in picture
    assert picture.count('<a class="strike') == 5
    assert picture.count("struck") == 2
    assert "<style" not in picture
