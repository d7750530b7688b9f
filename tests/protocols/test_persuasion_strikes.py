"""A dialogue without some of its arguments, by its own rules: what `contest` and the deciding argument rest on."""

import random
from pathlib import Path

import pytest

import moot
from moot.argument.gradual import scores
from moot.protocols.persuasion.deciding import judged
from moot.protocols.persuasion.framework import framework, graph_of
from moot.protocols.persuasion.moves import Premise
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.strikes import Strikes, struck
from tests.kit.dialogues import FACTS, play_at_random, say, start, to_the_end
from tests.kit.examples import tries
from tests.kit.framework_oracle import relations_without
from tests.kit.persuasions import SILENT, Replies, persuade, since
from tests.kit.persuasions import say as reply


@pytest.fixture(scope="module")
def undercut() -> Dialogue:
    """φ has one reason, and the step from it is undercut. All but φ has a fact."""
    game = say(say(start(1), "claim A1"), "rebut A1", irrelevant="K2")
    game = say(game, "since A1", Premise("The tests take an hour.", ("K1",)))
    return to_the_end(say(game, "undercut P3", text="An hour of tests is no reason to rewrite it.", evidence="K1"))


def test_an_undercut_goes_with_the_last_premise_of_its_step(undercut: Dialogue) -> None:
    graph = graph_of(struck(undercut, Strikes(frozenset({"A3"}))))
    assert "A4" in graph.index
    assert [*graph.relations()] == []


def test_a_struck_support_takes_the_undercut_of_its_step_with_it(undercut: Dialogue) -> None:
    after = graph_of(struck(undercut, Strikes(supports=frozenset({("A3", "A1")}), reasoned=frozenset({"A1"}))))
    assert scores(after)["A1"] == 0.5


@pytest.mark.parametrize("block", range(3))
def test_strikes_keep_the_rules_of_any_dialogue(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40, max(1, 3 // tries(1))):
        game = play_at_random(random.Random(seed), 1 + seed % 4, FACTS)
        found = framework(game)
        for one in found.arguments:
            after = struck(game, Strikes(frozenset({one.id})))
            graph = graph_of(after)
            related = {(graph.names[x], graph.names[y]) for x, y, _ in graph.relations()}
            expected = relations_without(game.moves, found, one.id)
            assert related == expected, f"seed {seed} without {one.id}"


def test_the_deciding_argument_is_found_by_the_same_strikes() -> None:
    """Of the two, the premise takes an undercut with it, so φ is no worse without it."""
    seen = 0
    for seed in range(60):
        game = play_at_random(random.Random(seed), 2, FACTS)
        found = judged(game)
        if found.deciding is None:
            continue
        own = scores(graph_of(struck(game, Strikes(frozenset({found.deciding.argument})))))
        expected = round(own["A1"] or 0.0, 6) if "A1" in own.graph.index else None
        assert found.deciding.without["claim"] == expected, seed
        seen += 1
    assert seen > 5


def test_contest_says_what_goes_with_a_strike(tmp_path: Path) -> None:
    replies: Replies = {
        "proponent/move/4": reply("why A5", "How?"),
        "opponent/move/5": since("since A5", "Patching has worked twice."),
        "proponent/closing": {"statement": "It pays."},
        "opponent/closing": {"statement": "It does not."},
    }
    run = moot.find_run(persuade(tmp_path, replies)[0].run)
    contested = moot.contest(run, reject=["A6"])
    assert "A5 goes too: nothing that is left backs it." in contested.summary
    assert "A5" not in contested.contest.after.graph.index
    kept = moot.contest(run, reject=["A6"], add=["B1=It was done before."], support=["B1:A5"])
    assert "A5" in kept.contest.after.graph.index


def test_an_opponent_who_says_nothing_does_not_win_by_contest(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {**SILENT, "proponent/move/0": reply("claim A1", "Let us rewrite it.")})
    assert result.summary.headline.startswith("No answer: no reason was given for ")
    (flag,) = [flag for flag in result.flags if flag.code == "no_winner"]
    assert "by rule" in flag.text and "moderator" not in flag.text
    assert moot.contest(moot.find_run(result.run), add=["B1=x"]).after == "nobody"


def test_what_was_retracted_is_said_so(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path)
    with pytest.raises(moot.ConfigError, match="A2 does not count any more: struck, the reason that was owed"):
        moot.contest(moot.find_run(result.run), reject=["A2"])
