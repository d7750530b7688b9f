"""The persuasion dialogue as a game: what is legal, what moves do, and that every game ends."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.persuasion.dialogue import IllegalMove, apply, passed
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import OTHER, Move, Option, Premise, Proposal, Side
from moot.protocols.persuasion.position import Dialogue
from tests.kit.dialogues import FACTS, after_reasons, option, proposal_for, say, start
from tests.kit.examples import examples


def labels(dialogue: Dialogue) -> list[str]:
    assert dialogue.place is not None
    return [one.label for one in legal_moves(dialogue, dialogue.place[1])]


def brief(moves: tuple[Move, ...]) -> list[str]:
    return [f"{one.id} {one.act} {one.proposition}{' by rule' if one.rule else ''}" for one in moves]


def test_round_0_claim_and_denial_are_each_asked_for_reasons() -> None:
    game = say(start(), "claim A1")
    assert labels(game) == ["rebut A1", "why A1"]
    game = say(game, "rebut A1")
    assert brief(game.moves) == ["P1 claim A1", "O1 claim A2", "O2 why A1 by rule", "P2 why A2 by rule"]
    assert game.propositions["A2"].content == "We should not rewrite it."
    assert game.stores == {"PRO": {"A1"}, "OPP": {"A2"}}
    assert game.place == (1, "PRO", "argue")
    assert labels(game) == ["since A1"]


def test_a_claim_with_evidence_is_not_asked_about() -> None:
    facts = {"K1": "A rewrite of the parser paid off.", "K2": "Rewrites fail.", "K3": "The sky is blue."}
    game = say(start(facts=facts), "claim A1", evidence="K1")
    assert labels(game) == ["rebut A1"], "what has evidence is backed"
    assert brief(say(game, "rebut A1", evidence="K2").moves) == ["P1 claim A1", "O1 claim A2"]
    game = say(start(facts=facts), "claim A1", irrelevant="K3")
    assert labels(game) == ["rebut A1", "why A1"], "a fact that has nothing to do with it backs nothing"
    assert (game.propositions["A1"].evidence, game.propositions["A1"].bears) == (("K3",), ())


def test_since_commits_to_conclusion_and_premises() -> None:
    game = say(say(start(), "claim A1"), "rebut A1")
    game = say(game, "since A1", Premise("Nobody knows it.", ("K2",)), "K1")
    assert game.stores["PRO"] == {"A1", "A3", "A4"}
    assert [game.propositions[one].evidence for one in ("A3", "A4")] == [("K2",), ("K1",)]
    assert game.propositions["A4"].content == FACTS["K1"]
    assert set(labels(game)) == {
        *("rebut A1", "rebut A3", "rebut A4", "undercut P3"),
        "since A2",
    }


def test_who_forfeits_the_opening_still_stands_for_the_topic() -> None:
    game = passed(start())
    assert brief(game.moves) == ["P1 claim A1 by rule"]


@pytest.mark.parametrize(("side", "label"), [("OPP", "concede A1"), ("PRO", "concede A2"), ("PRO", "retract A1")])
def test_giving_up_a_root_ends_it(side: Side, label: str) -> None:
    game = say(after_reasons(), "rebut A3", text="It is fast.")
    game = game if side == "PRO" else passed(game)
    game = say(game, label)
    assert game.ended == {
        "concede A1": "the claim was conceded by the opponent",
        "concede A2": "its denial was conceded by the proponent",
        "retract A1": "the claim was retracted by the proponent",
    }.get(label)
    assert legal_moves(game, "PRO") == legal_moves(game, "OPP") == []
    assert passed(game) == game


def test_an_undercut_is_against_the_step_and_not_its_premises() -> None:
    game = say(after_reasons(), "undercut P3", text="Slow is no reason to rewrite.")
    move = game.moves[-1]
    assert (move.target, move.counters, move.attack, move.proposition) == ("P3", "A1", "undercut", "A5")
    assert option(game, "retract A1").target == "O3"
    assert option(game, "since A1").target == "O1", "an undercut is not answered by another reason"


@pytest.mark.parametrize(
    ("premises", "reason"),
    [
        ((), "one or 2 premises"),
        (("a", "b", "c"), "one or 2 premises"),
        (("  ",), "says nothing"),
        (("K9",), "K9 is not in the shared context"),
        (("It is slow [K5].",), "K5 is not in the shared context"),
        (("A9",), "A9 is no proposition"),
        (("We should  REWRITE it.",), "under debate"),
        (("We should not rewrite it.",), "under debate"),
        (("A1",), "under debate"),
    ],
)
def test_premises_that_will_not_do(premises: tuple[str | Premise, ...], reason: str) -> None:
    game = say(say(start(), "claim A1"), "why A1")
    given = tuple(one if isinstance(one, Premise) else Premise(one) for one in premises)
    wrong = check(game, "PRO", Proposal(option(game, "since A1"), "So it is.", given))
    assert wrong
    assert reason in wrong


def test_reasons_do_not_go_in_circles() -> None:
    game = say(say(after_reasons("It is slow."), "why A3"), "since A3", "Users complain.")
    game = say(game, "rebut A4", text="They do not.")
    game = passed(passed(game))
    wrong = check(game, "PRO", Proposal(option(game, "since A4"), "So it is.", (Premise("It is  SLOW."),)))
    assert wrong == "A3 cannot be a reason for A4: it is that, or rests on it"


def test_no_move_is_made_twice() -> None:
    game = say(passed(after_reasons("It is slow.")), "rebut A2", text="It pays.")
    game = passed(game)
    again = Proposal(option(game, "since A1"), "Other words, same reason.", (Premise("It is slow."),))
    assert "again that were given" in (check(game, "PRO", again) or "")
    twice = Proposal(option(game, "rebut A2"), "It   pays.")
    assert "said already" in (check(game, "PRO", twice) or "")


def test_the_other_sides_words_are_not_ones_own_claim() -> None:
    game = say(after_reasons(), "rebut A3", text="It is fast.")
    game = passed(game)
    stolen = Proposal(option(game, "rebut A3"), "nobody KNOWS it.")
    assert "which the other side has put forward" in (check(game, "OPP", stolen) or "")
    with pytest.raises(IllegalMove, match="not a legal move here"):
        apply(game, Proposal(Option("concede", "P9", "A9"), "Right."))


def test_the_same_reason_is_one_proposition_wherever_it_stands() -> None:
    game = say(say(after_reasons("It is slow."), "rebut A3", text="It is fast."), "since A3", "K1")
    before = len(game.propositions)
    game = say(say(game, "rebut A5", text="It is fast."), "since A1", Premise("the tests take an hour.", ("K2",)))
    assert len(game.propositions) == before
    assert game.propositions["A5"].evidence == ("K1", "K2")


def test_nobody_moves_out_of_turn_and_the_rounds_run_out() -> None:
    game = start(rounds=1)
    assert legal_moves(game, "OPP") == []
    places = []
    while game.place is not None:
        places.append(game.place)
        game = passed(game)
    assert [slot for _, _, slot in places] == ["open", "answer", "argue", "attack", "defend", "closing", "closing"], (
        "who has nothing to say is passed over"
    )
    with pytest.raises(IllegalMove, match="over"):
        apply(game, Proposal(Option("claim", None, "A1"), "Again."))


def test_closing_takes_any_number_of_concessions_and_nothing_else() -> None:
    game = say(after_reasons(), "rebut A3", text="It is fast.")
    while game.place and game.place[2] != "closing":
        game = passed(game)
    assert {label.split()[0] for label in labels(game)} == {"concede", "retract"}
    game = say(game, "concede A5")
    assert brief(game.moves)[-2:] == ["P4 concede A5", "P5 retract A3 by rule"], (
        "nobody holds A5 and what it is against"
    )
    assert game.place == (3, "PRO", "closing")
    assert passed(game).place == (3, "OPP", "closing")


# Random games


def effect(move: Move) -> tuple[set[str], set[str]]:
    """The specification's table, read off the act alone."""
    match move.act:
        case "claim" | "concede":
            return {move.proposition}, set()
        case "since":
            return {move.proposition, *move.premises}, set()
        case "retract":
            return set(), {move.proposition}
        case _:
            return set(), set()


def assert_legal(game: Dialogue, side: Side, chosen: Option, stores: Mapping[Side, set[str]]) -> None:
    """The specification's table of what may answer what; `stores` are what the moves so far have put in."""
    if not game.moves:
        assert chosen == Option("claim", None, "A1")
        return
    if chosen.target is None:  # a claim of one's own can be backed unasked
        assert chosen.act == "since"
        assert any((one.side, one.act, one.proposition) == (side, "claim", chosen.about) for one in game.moves)
        return
    target = next(move for move in game.moves if move.id == chosen.target)
    assert target.side == OTHER[side], "a move answers the other side"
    holds, mine = stores[OTHER[side]], stores[side]
    match chosen.act:
        case "claim" if chosen.attack == "undercut":
            assert target.act == "since"
            assert target.proposition == chosen.about
            assert chosen.about in holds
        case "claim" | "why" | "concede":
            assert chosen.about in holds - mine
            assert chosen.about in {target.proposition, *target.premises}
            assert chosen.act != "why" or not game.propositions[chosen.about].bears
        case "since":
            assert chosen.about in mine
            asked = target.act == "why" and target.proposition == chosen.about
            assert asked or (target.attack == "rebut" and target.counters == chosen.about)
        case "retract":
            assert chosen.about in mine
            assert chosen.about in (target.proposition if target.act == "why" else target.counters, target.counters)


@examples(8)
@given(seed=st.integers(0, 2**32), rounds=st.integers(1, 70), long=st.booleans(), known=st.booleans())
def test_random_games(seed: int, rounds: int, long: bool, known: bool) -> None:
    """Every offer is legal, every move does what the table says, and every game ends."""
    lot = random.Random(seed)
    game = start(rounds, FACTS if known else {})
    stores: dict[Side, set[str]] = {"PRO": set(), "OPP": set()}
    seen = 0
    made = set()
    while game.place is not None and not game.ended:
        _, side, slot = game.place
        offered = legal_moves(game, side)
        assert len({one.label for one in offered}) == len(offered)
        assert legal_moves(game, OTHER[side]) == []
        afresh = Dialogue(game.topic, game.denial, rounds, game.facts, game.moves, game.turn)
        assert set(legal_moves(afresh, side)) == set(offered), "kept up with each move, as from all of them"
        for one in offered:
            assert_legal(game, side, one, stores)
        if long:  # nobody gives up, so that the game goes on
            offered = [one for one in offered if one.act in ("claim", "since", "why") or one.about not in game.roots]
        after = game
        for _ in range(5 if offered and lot.random() < 0.95 else 0):
            proposal = proposal_for(game, lot.choice(offered), lot)
            if check(game, side, proposal) is None:
                after = apply(game, proposal)
                break
        game = passed(game) if after is game or slot == "closing" else after
        for move in game.moves[seen:]:
            plus, minus = effect(move)
            stores[move.side] = stores[move.side] - minus | plus
            same = (move.side, move.act, move.target, move.proposition, move.counters, frozenset(move.premises))
            assert same not in made or move.act in ("since", "retract"), "no move is made twice"
            made.add(same)
        seen = len(game.moves)
        assert game.stores == stores
        assert replace(game).stores == stores, "and again from nothing but the moves"
        assert game.turn <= 2 + 4 * rounds + 2
    if game.ended:
        assert "the claim" in game.ended or "its denial" in game.ended
