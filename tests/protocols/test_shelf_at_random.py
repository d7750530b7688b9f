"""The shelf under random replies and outages: what is told follows from the log, computed here another way."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moot
from moot.errors import EmptyReply
from moot.models.scripted import read_demo
from moot.record.entry import Entry
from moot.testing import Scripted, ScriptedModel
from tests.kit.shelf import codes

OUTAGE = 0.2
ANSWERS = ["4", "Four.", "four", "5", "5!"]
NUMBERS = [3, 4, 4.5, 10, 1e9]
SEVERITIES = ["none", "minor", "serious", "grave"]
CAN_DO_WITHOUT = ("answer", "think")
"""Steps without a schema whose reply a script can do without."""
SEEDS = st.integers(0, 10**6)
FEW = settings(max_examples=12)


def at_random(seed: int) -> ScriptedModel:
    """Whoever is asked says anything that is allowed, or nothing that can be used."""

    def reply(request: moot.Request) -> Scripted:
        lots = random.Random(f"{seed}/{request.key}")
        out = lots.random() < OUTAGE
        if request.schema is None:
            step = request.key.split("/")[1]
            return EmptyReply("nothing was said") if out and step in CAN_DO_WITHOUT else f"Said by lot {lots.random()}."
        return "?" if out else _filled(request.schema, lots)

    return ScriptedModel(reply, name="scripted/random")


def _filled(schema: dict[str, Any], lots: random.Random) -> dict[str, Any]:
    made = {name: _value(name, one, lots) for name, one in schema["properties"].items()}
    if "estimate" in made:
        made["low"], made["estimate"], made["high"] = sorted(lots.choices(NUMBERS, k=3))
    if made.get("admits") == "none":
        made["admitted"] = ""
    return made


def _value(name: str, schema: dict[str, Any], lots: random.Random) -> Any:
    if "enum" in schema or "const" in schema:
        return lots.choice(schema.get("enum") or [schema["const"]])
    if schema.get("type") == "integer":
        return lots.randint(schema["minimum"], schema["maximum"])
    if schema.get("type") == "boolean":
        return lots.random() < 0.5
    if schema.get("type") == "array":
        items = schema["items"].get("enum")
        if "$ref" in schema["items"]:
            return [{"reason": f"A reason by lot {lots.random()}.", "rests_on": ["1", "A", "black"]}]
        if name == "declining":
            return [one for one in items if lots.random() < OUTAGE]
        return lots.sample(items, len(items)) if items else ["A thing said."][: lots.randint(0, 1)]
    if name == "moved_by":
        return lots.choice(["", "A reason."])
    if "$ref" in schema:
        return {label: lots.choice(SEVERITIES) for label in ("A1", "A2", "A3", "A4")}
    return lots.choice(ANSWERS) if name == "answer" else f"Words by lot {lots.random()}."


def played(name: str, seed: int, **changes: Any) -> tuple[Any, moot.Result, list[Entry]]:
    """A run of the demonstration's settings with random replies. Nobody is ever told the reason of a failure."""
    model = at_random(seed)
    with TemporaryDirectory() as folder:
        given = {**read_demo(name).settings, "model": model.name, "out": folder, "seed": seed, **changes}
        result = asyncio.run(moot.run(moot.configure(**given), models={model.name: model}))
        entries = result.stored.entries()
    assert result.status == "done", result.reason
    missing = any(getattr(one.data, "failure", None) for one in entries)
    assert missing == ("replies_missing" in codes(result)), "what is missing is told, and nothing else is"
    first = {key: request.messages[-1].content for request in reversed(model.requests) for key in [request.key]}
    assert not any("usable reply" in one or "nothing was said" in one for one in first.values())
    return result.outcome, result, entries


def of_type(entries: Sequence[Entry], kind: str) -> list[Any]:
    """The data of usable replies of a type, each with its speaker as `who` and its text as `text`."""
    return [
        type("Reply", (), {**dict(one.data or {}), "who": one.speaker, "text": one.content})
        for one in entries
        if one.type == kind and not getattr(one.data, "failure", None)
    ]


@FEW
@given(SEEDS)
def test_council(seed: int) -> None:
    found, result, entries = played("council", seed, agents=4)
    rankings = of_type(entries, "ranking")
    votes = Counter(author for one in rankings for author in one.declining)
    assert found.declined == sorted(author for author in votes if votes[author] > len(rankings) / 2)
    assert found.answers == {one.who: one.text for one in of_type(entries, "answer")}
    answers = {name: text for name, text in found.answers.items() if name not in found.declined}
    orders = {one.who: [author for author in one.order if author in answers] for one in rankings}
    assert found.rankings == len(orders)
    places = {}
    for one in answers:
        ahead = []
        for rival in set(answers) - {one}:
            firsts = {judge: min(one, rival, key=order.index) for judge, order in orders.items()}
            for_others = [first == rival for judge, first in firsts.items() if judge != first]
            if for_others:
                ahead.append(round(mean(for_others)) if mean(for_others) != 0.5 else 0.5)
        places[one] = 1 + (len(answers) - 1) * mean(ahead) if ahead else None
    assert {one.name: one.place for one in found.ranking} == pytest.approx(places)
    known = [one.place for one in found.ranking if one.place is not None]
    assert known == sorted(known), "the best comes first"
    assert {one.name: one.own for one in found.ranking} == {
        one: orders[one].index(one) + 1 if one in orders else None for one in answers
    }
    if len(orders) > 1 and len(answers) > 1:
        ranks = np.array([[order.index(one) + 1 for one in answers] for order in orders.values()])
        judges, items = ranks.shape
        spread = ((ranks.sum(axis=0) - ranks.sum(axis=0).mean()) ** 2).sum()
        assert found.agreement == pytest.approx(12 * spread / (judges**2 * (items**3 - items)))
    last = of_type(entries, "final")
    assert (result.summary.decided, found.in_full) == (bool(last), last[0].text if last else None)
    best = [one for one in places if known and places[one] == pytest.approx(min(known))]
    assert found.departed == (last[0].follows not in best if last and best else None)
    assert ("chairman_departed" in codes(result)) is (found.departed is True)
    selfish = len(answers) > 1 and all(one in orders and orders[one][0] == one for one in answers)
    assert ("everybody_for_itself" in codes(result)) == selfish


@FEW
@given(SEEDS, st.booleans())
def test_multiagent(seed: int, sparse: bool) -> None:
    found, result, entries = played("multiagent", seed, agents=5, rounds=2, sparse=sparse)
    same = {"4": "4", "Four.": "four", "four": "four", "5": "5", "5!": "5!"}
    said = of_type(entries, "answer")
    for number, told in enumerate(found.rounds):
        votes = Counter(same[one.answer] for one in said if one.round == number)
        most = [one for one in votes if votes[one] == max(votes.values())]
        assert (told.majority and same[told.majority]) == (most[0] if len(most) == 1 else None)
        assert told.votes == (votes[most[0]] if len(most) == 1 else 0)
    held = [[one for one in said if one.who == who] for who in {one.who for one in said}]
    moves = [(one, other) for own in held for one, other in pairwise(own) if same[one.answer] != same[other.answer]]
    assert found.changed_minds == len(moves)
    assert all(other.moved_by for one, other in moves if other.round == one.round + 1), "no change without a reason"
    agreed = [len(one.answers) == 5 and len({same[each] for each in one.answers.values()}) == 1 for one in found.rounds]
    assert not any(agreed[:-1]) and (agreed[-1] or len(agreed) == 3), "it ends when all agree"
    last = found.rounds[-1]
    assert (result.summary.decided, found.answer) == (last.majority is not None, last.majority)
    assert ("no_majority" in codes(result)) == (last.majority is None)
    assert ("less_than_half" in codes(result)) == (last.majority is not None and 2 * last.votes <= len(last.answers))


@FEW
@given(SEEDS)
def test_delphi(seed: int) -> None:
    found, result, entries = played("delphi", seed, rounds=4, stable=0.4)
    said = of_type(entries, "estimate")
    rounds = [{one.who: one.estimate for one in said if one.round == n + 1} for n in range(len(found.rounds))]
    for number, (here, told) in enumerate(zip(rounds, found.rounds, strict=True)):
        assert told.estimates == here and (told.spread is None) == (len(here) < 2)
        if told.spread:
            quartiles = np.percentile([*here.values()], [25, 50, 75])
            assert [told.spread.lower, told.spread.median, told.spread.upper] == pytest.approx(quartiles)
        both = set(here) & set(rounds[number - 1]) if number else set()
        changed = sum(here[one] != rounds[number - 1][one] for one in both)
        assert told.moved == (pytest.approx(changed / len(both)) if both else None)
        stable = bool(both) and changed <= 0.4 * len(both)
        assert stable == (number == len(rounds) - 1) or (number == 3 and not stable), "it ends when it is stable"
    assert result.summary.decided == (len(rounds[-1]) > 1)
    if len(rounds[-1]) > 1:
        assert float((found.answer or "").split()[0]) == pytest.approx(median(rounds[-1].values()))
    both = set(rounds[0]) & set(rounds[-1])
    if len(rounds) > 1 and len(both) > 1:
        ends = [np.percentile([one[who] for who in both], [25, 75]) for one in (rounds[0], rounds[-1])]
        assert found.widths == pytest.approx([high - low for low, high in ends])
        assert not result.summary.decided or ("spread_grew" in codes(result)) == (found.widths[1] > found.widths[0])


@FEW
@given(SEEDS, st.booleans())
def test_oversight(seed: int, consultancy: bool) -> None:
    found, result, entries = played("oversight", seed, consultancy=consultancy)
    judged = {one.sitting: one.answer for one in of_type(entries, "decision")}
    heard = Counter(one.sitting for one in of_type(entries, "statement"))
    assert all(heard[sitting] == (1 if consultancy else 2) for sitting in judged if sitting)
    sittings = [judged.get(1), judged.get(2)]
    assert (found.alone, found.sittings) == (judged.get(0), sittings)
    known = [one for one in sittings if one is not None]
    assert found.accuracy == (mean(one == found.right for one in known) if known else None)
    assert found.answer == (known[0] if len(known) == 2 and len(set(known)) == 1 else None)
    assert result.summary.decided == (found.answer is not None)
    assert ("sides_decide" in codes(result)) == (len(set(known)) == 2)


@FEW
@given(SEEDS)
def test_oxford(seed: int) -> None:
    found, result, entries = played("oxford", seed)
    votes = {
        when: {one.who: one.vote for one in of_type(entries, "vote") if one.when == when}
        for when in ("before", "after")
    }
    both = sorted(votes["before"].keys() & votes["after"].keys())
    tally = {when: Counter(votes[when][one] for one in both) for when in votes}
    swing = {side: tally["after"][side] - tally["before"][side] for side in ("for", "against")}
    assert (found.before, found.after, found.swing, found.voters) == (votes["before"], votes["after"], swing, len(both))
    lead = swing["for"] - swing["against"]
    assert found.winner == ("Proposer" if lead > 0 else "Opposer" if lead < 0 else None)
    ayes, noes = (list(votes["after"].values()).count(side) for side in ("for", "against"))
    assert result.summary.decided == (ayes != noes)
    assert ("no_swing" in codes(result)) == (bool(both) and not lead)


@FEW
@given(SEEDS)
def test_redteam(seed: int) -> None:
    found, result, entries = played("redteam", seed, attacks=4)
    attacks = [one for one in of_type(entries, "attack") if one.severity != "none"]
    handled = {one.seq - 1: one.data.handling for one in entries if one.type == "defence"}  # type: ignore[union-attr]
    starts = [one.seq for one in entries if one.type == "attack" and one.data.severity not in (None, "none")]  # type: ignore[union-attr]
    again = of_type(entries, "again")
    complete = all(one.data.failure is None for one in entries if one.type == "attack")  # type: ignore[union-attr]
    submitted, revised = [], [again[0].severity if again else None]
    for number, (attack, seq) in enumerate(zip(attacks, starts, strict=True), 1):
        left = again[0].residuals.get(f"A{number}") if again else None
        submitted.append(left if handled[seq] == "disputed" else attack.severity)
        revised.append(attack.severity if handled[seq] == "accepted" else left)

    def holds(severities: list[str | None]) -> bool | None:
        if {"grave", "fatal"} & set(severities):
            return False
        return True if complete and None not in severities else None

    assert [one.attack for one in found.attacks] == [one.text for one in attacks]
    assert found.holds == holds(submitted)
    asked = any(one.type == "again" for one in entries)
    assert found.holds_as_revised == (holds(revised) if asked else None) and asked == bool(attacks)
    assert result.summary.decided == (found.holds is not None)
    assert ("nothing_found" in codes(result)) == (not attacks and found.holds is True)


@FEW
@given(SEEDS)
def test_socratic(seed: int) -> None:
    found, result, entries = played("socratic", seed)
    answers = of_type(entries, "answer")
    admitted = [(one.admits, one.admitted) for one in answers if one.admits != "none"]
    assert Counter((kind, one) for kind, what in found.admissions.items() for one in what) == Counter(admitted)
    closing = of_type(entries, "closing") if answers else []
    assert (found.questions, found.verdict) == (len(answers), closing[0].verdict if closing else None)
    assert result.summary.decided == bool(closing)
    assert found.verdict != "upheld" or {kind for kind, _ in admitted} <= {"gap"}


@FEW
@given(SEEDS)
def test_hats(seed: int) -> None:
    found, result, entries = played("hats", seed)
    last = of_type(entries, "conclusion")
    assert found.hats == {one.speaker: one.content for one in entries if one.type == "thought"}
    steps = [*([last[0].brief.next.text] if last[0].brief.next else []), *last[0].further_steps] if last else []
    assert (found.in_full, found.next_steps) == (last[0].text if last else None, steps)
    assert result.summary.decided == bool(last)
    answer = last[0].brief.answer.removesuffix(".") if last else "The blue hat drew no conclusion"
    assert result.summary.headline == answer
