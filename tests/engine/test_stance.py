"""The first words that small models are given: on the right side, and never a form letter."""

from itertools import pairwise

import pytest

from moot.engine.stance import Stance, both_sides, conviction, weighing

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


@pytest.mark.parametrize("names", [("Ada", "Bo"), ("Noor", "Viktor"), ("Yewande", "Paloma"), ("Callum", "Jin")])
@pytest.mark.parametrize("premise", [PREMISE, "The better choice is tabs, not spaces.", "Tea is better than coffee."])
def test_two_speakers_never_begin_alike_in_turns_that_follow_each_other(premise: str, names: tuple[str, str]) -> None:
    one, two = names
    turns = [
        Stance(premise, "for", two, number, one) if number % 2 else Stance(premise, "against", one, number, two)
        for number in range(1, 9)
    ]
    for before, after in pairwise([one.words() for one in turns]):
        for name in ("reason", "next_reason", "doubt", "retort", "last_word"):
            assert before[name].replace(one, two) != after[name].replace(one, two), name
    plans = [Stance(premise, "for", two, 0, one), Stance(premise, "against", one, 0, two)]
    assert len({plan.words()["first_reason"] for plan in plans}) == 2


def test_first_words_of_a_choice_name_what_was_chosen() -> None:
    """Without them a small model loses a topic of two words, and speaks of anything else."""
    said = [Stance("The better choice is tabs, not spaces.", "against", "Bo", n, "Ada").words() for n in range(12)]
    for words in said:
        assert "spaces" in words["first_reason"] and "spaces" in words["second_reason"]
        assert (
            "spaces" in words["reason"]
            or "trouble with tabs" in words["reason"]
            or "starts with tabs" in words["reason"]
        )
    assert said[2]["reason"] == "The better choice is spaces, not tabs because"
    assert not any("would" in words["reason"] for words in said)
    assert len({words["reason"] for words in said}) > 5


@pytest.mark.parametrize(
    ("question", "said", "denied"),
    [
        ("Is a hot dog a sandwich?", "A hot dog is a sandwich", "A hot dog is not a sandwich"),
        ("Are cats better pets than dogs?", "Cats are better pets than dogs", "Cats are not better pets than dogs"),
        ("Is it right to eat meat?", "It is right to eat meat", "It is not right to eat meat"),
        ("Is a better world possible?", "A better world is possible", "A better world is not possible"),
        ("Is democracy overrated?", "Democracy is overrated", "Democracy is not overrated"),
        *(
            (asked, f"The answer to '{asked}' is yes", f"The answer to '{asked}' is no")
            for asked in (
                "Is war ever justified?",
                "Is P equal to NP?",
                "Is social media harmful to us?",
                "Does it work?",
            )
        ),
    ],
)
def test_the_answer_to_a_question_is_said_as_a_sentence_where_that_can_be(
    question: str, said: str, denied: str
) -> None:
    premise = f"The answer to the question “{question}” is yes."
    assert (conviction(premise, "for")[0], conviction(premise, "against")[0]) == (said, denied)


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


@pytest.mark.parametrize(
    ("premise", "held", "told"),
    [
        ("Cities should ban cars", {}, "debate this: Cities should ban cars. Bo is for it, Ada is against it."),
        ("¬ “Das ist so”", {}, "debate this: “Das ist so” is wrong. Bo is for it, Ada is against it."),
        ("The answer to the question “Is it?” is yes.", {}, "debate this question: Is it? Bo says yes, Ada says no."),
        ("It is 4.", {"Ada": "5", "Bo": "4"}, "debate this question: Is it? Ada says: 5. Bo says: 4."),
        (None, {}, "debate this question: Is it? Ada gives an answer, and Bo disagrees."),
    ],
)
def test_who_is_for_what_in_few_words(premise: str | None, held: dict[str, str], told: str) -> None:
    assert both_sides("Is it?", premise, {"Ada": "against", "Bo": "for"}, held) == f"Ada and Bo {told}"


@pytest.mark.parametrize(
    ("premise", "belief"),
    [
        ("Wir sollten Autos verbieten.", "“Wir sollten Autos verbieten” is wrong"),
        ("“电车” > “私家车”", "“私家车” is better than “电车”"),
    ],
)
def test_a_position_in_another_language_has_words_for_signs_and_no_first_words(premise: str, belief: str) -> None:
    said = Stance(premise, "against", "Bo", 1, "Ada").words()
    assert said["sure"] == f"You are sure of this: {belief}."
    assert (said["why"], said["reason"], said["last_word"]) == (f"why: {belief}", "", "")
