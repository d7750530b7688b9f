"""From moves to a framework, its scores and a winner: small dialogues worked out by hand."""

import pytest

from moot.argument.gradual import scores as gradual
from moot.argument.graph import Graph
from moot.protocols.persuasion.dialogue import passed
from moot.protocols.persuasion.framework import by_roots, framework
from moot.protocols.persuasion.payloads import Framework
from tests.kit.dialogues import after_reasons, say, start


def scores(found: Framework) -> dict[str, float | None]:
    return {one.id: one.score for one in found.arguments}


def relations(found: Framework) -> set[tuple[str, str, str]]:
    return {(one.source, one.target, one.kind) for one in found.relations}


def test_a_claim_that_nobody_denied_is_held_against_the_middle() -> None:
    asked = say(say(start(), "claim A1"), "why A1")
    found = framework(asked)
    assert found.counter_root is None
    assert (found.winner, found.decided_by) == (None, "moderator")
    found = framework(say(asked, "since A1", "It is slow."))
    assert scores(found) == {"A1": 0.6, "A2": 0.5}
    assert found.winner == "PRO"


def test_derived_attacks_are_listed_and_not_scored() -> None:
    game = passed(after_reasons("It is slow."))
    game = say(game, "rebut A2", text="Patches failed.")  # A4
    game = say(game, "rebut A3", text="It is fast.")  # A5
    found = framework(game)
    assert [(one.source, one.target, one.kind, one.via) for one in found.derived] == [
        ("A3", "A2", "supported", "A1"),
        ("A5", "A1", "secondary", "A3"),
    ]
    a1, a2 = scores(found)["A1"], scores(found)["A2"]
    assert a1 == pytest.approx(0.5 + 0.2 * 0.35 - 0.3 * (a2 or 0), abs=1e-5)
    assert a2 == pytest.approx(0.35 - 0.3 * (a1 or 0), abs=1e-5)


def test_the_surviving_arguments_decide_where_the_roots_are_close() -> None:
    game = say(say(start(), "claim A1"), "why A1")
    game = say(game, "since A1", "It is slow.", "It is old.")  # A2, A3
    game = say(game, "why A2")
    game = say(game, "since A2", "Users wait.")  # A4
    game = say(game, "undercut P2", text="Slow and old is not bad.")  # A5
    game = say(game, "since A2", "Tests time out.")  # A6
    game = say(passed(passed(game)), "since A5", "It is paid for.")  # A7
    found = framework(game)
    # s(A2) = 0.5 + 0.2·(0.5 + 0.5) = 0.7, s(A5) = 0.6, s(φ) = 0.5 + 0.2·(0.7 + 0.5) − 0.4·0.6 = 0.5
    assert (scores(found)["A1"], scores(found)["A2"], scores(found)["A5"]) == (0.5, 0.7, 0.6)
    assert found.surviving_sums == {"PRO": 0.7, "OPP": 0.6}
    assert (found.winner, found.decided_by) == ("PRO", "surviving arguments")


@pytest.mark.parametrize(("phi", "winner"), [(0.51, None), (0.34, "OPP"), (0.510001, "PRO"), (0.49, None)])
def test_roots_exactly_a_hundredth_apart_are_close(phi: float, winner: str | None) -> None:
    graph = Graph.of(["A1", "A2"], weights={"A1": phi, "A2": 0.5})
    assert by_roots(gradual(graph), "A2") == winner


def test_that_a_verdict_hangs_on_the_semantics_is_said_however_the_dialogue_ended() -> None:
    game = say(say(start(), "claim A1"), "why A1")
    game = say(game, "since A1", "It is slow.", "It is old.")
    game = say(game, "undercut P2", text="Old is not bad.")
    game = say(game, "since A1", "Nobody knows it.", "Users wait.")
    found = framework(game)
    assert (found.winner, found.by_semantics["grounded"], found.hangs_on_semantics) == ("PRO", "OPP", True)
    assert framework(say(game, "concede A5")).hangs_on_semantics is True
    assert framework(say(game, "concede A1")).hangs_on_semantics is False, "a concession decides in any"
