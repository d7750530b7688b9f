"""The first words that small models are given: on the right side, and never a form letter."""

from itertools import pairwise

import pytest

from moot.engine.stance import Stance, weighing

PREMISE = "Cities should ban cars."


def reasons(speaker: str, side: str, turns: range, premise: str = PREMISE) -> list[str]:
    assert side in ("for", "against")
    return [Stance(premise, "for" if side == "for" else "against", "Bo", n, speaker).words()["reason"] for n in turns]


@pytest.mark.parametrize("side", ["for", "against"])
@pytest.mark.parametrize("speaker", ["Ada", "Noor", "Callum"])
def test_a_side_is_said_outright_once_and_then_in_other_words(speaker: str, side: str) -> None:
    said = reasons(speaker, side, range(2, 12, 2))
    assert said[0].startswith("Cities should ban cars" if side == "for" else "Cities should not ban cars")
    assert not any("Cities should" in one for one in said[1:])
    assert all(one != two for one, two in pairwise(said))
    assert len(set(said)) == len(said)


def test_two_speakers_and_a_second_asking_begin_otherwise() -> None:
    one, two = (Stance(PREMISE, "for", "Bo", 3, name) for name in ("Ada", "Ida"))
    assert one.words() != two.words()
    for name in ("reason", "retort", "doubt", "last_word", "next_reason"):
        assert one.reworded().words()[name] != one.words()[name]


def test_words_of_a_side_have_its_colour() -> None:
    losses = " ".join(reasons("Ada", "against", range(3, 20)))
    gains = " ".join(reasons("Ada", "for", range(3, 20)))
    assert "suffer" in losses
    assert "gain" not in losses
    assert "gain" in gains
    assert "suffer" not in gains


def test_a_claim_without_a_wish_is_argued_plainly() -> None:
    said = reasons("Ada", "for", range(2, 9), "Tea is better than coffee.")
    assert said[0] == "Tea is better than coffee because"
    assert not any("would" in one for one in said)


def test_a_judge_weighs_in_other_words_from_turn_to_turn() -> None:
    begun = [weighing("Ada", number) for number in range(1, 5)]
    assert len(set(begun)) == len(begun)
    assert all("Ada" in one for one in begun)
