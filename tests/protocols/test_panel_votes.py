"""The panel's vote, by itself: exact at the threshold, blind to order, and never hurt by support."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.voting.weighted import NO_CONSENSUS, Rules, Vote, count, shown

LABELS = ("accept", "modify", "reject")
WEIGHTS = st.decimals(0, 1000, places=3, allow_nan=False)
THRESHOLDS = st.decimals(0, 1, places=3, allow_nan=False)


@st.composite
def ballots(draw: st.DrawFn) -> tuple[list[Vote], Rules]:
    size = draw(st.integers(1, 8))
    votes = [
        Vote(
            f"p{number}",
            draw(st.sampled_from([*LABELS, None])),
            draw(st.one_of(WEIGHTS, st.sampled_from([Decimal(0), Decimal(1), Decimal("0.1")]))),
            draw(st.booleans()),
        )
        for number in range(size)
    ]
    return votes, Rules(LABELS, draw(THRESHOLDS), draw(st.integers(0, 3)))


@given(ballots(), st.randoms())
def test_permuting_the_personas_changes_nothing(given_: tuple[list[Vote], Rules], random: object) -> None:
    votes, rules = given_
    shuffled = list(votes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert count(shuffled, rules) == count(votes, rules)


@given(ballots(), st.integers(0, 7), WEIGHTS)
def test_adding_weight_to_a_label_never_makes_it_lose(
    given_: tuple[list[Vote], Rules], place: int, more: Decimal
) -> None:
    votes, rules = given_
    before = count(votes, rules)
    one = votes[place % len(votes)]
    heavier = [*votes]
    heavier[place % len(votes)] = Vote(one.persona, one.label, one.weight + more, one.validator)
    joined = [*votes, Vote("new", one.label, more, True)]
    for after in (count(heavier, rules), count(joined, rules)):
        if one.label is not None and before.leading == one.label:
            assert after.leading == one.label
            assert after.agreement >= before.agreement
        if one.label is not None and before.decision == one.label:
            assert after.decision == one.label
        if one.label is None:
            assert after.leading == before.leading
            assert after.agreement <= before.agreement, "an abstention weighs against everybody"


@given(ballots())
def test_what_carries_has_the_share_and_the_validators_it_needs(given_: tuple[list[Vote], Rules]) -> None:
    votes, rules = given_
    counted = count(votes, rules)
    total = sum(Fraction(vote.weight) for vote in votes)
    if counted.decision == NO_CONSENSUS:
        assert counted.short_of
        return
    held = [vote for vote in votes if vote.label == counted.decision]
    weight = sum(Fraction(vote.weight) for vote in held)
    assert weight >= Fraction(rules.threshold) * total
    assert weight > 0
    assert sum(vote.validator for vote in held) >= rules.required_validators
    for label in set(LABELS) - {counted.decision}:
        assert sum(Fraction(vote.weight) for vote in votes if vote.label == label) < weight


def votes_of(*weighted: tuple[str | None, str]) -> list[Vote]:
    return [Vote(f"p{place}", label, Decimal(weight), place == 0) for place, (label, weight) in enumerate(weighted)]


RULES = Rules(LABELS, Decimal("0.6"), 1)


@pytest.mark.parametrize(
    ("votes", "carried"),
    [
        (votes_of(("accept", "0.1"), ("accept", "0.2"), ("reject", "0.2")), True),  # 0.1 + 0.2 is 0.3, and 0.3 of 0.5
        (votes_of(("accept", "1.5"), ("accept", "1"), ("accept", "0.8"), ("reject", "1.2"), ("reject", "1")), True),
        (votes_of(("accept", "0.5999999"), ("reject", "0.4000001")), False),
        (votes_of(("accept", "0.6000001"), ("reject", "0.3999999")), True),
    ],
)
def test_the_threshold_is_exact(votes: list[Vote], carried: bool) -> None:
    assert count(votes, RULES).carried is carried


@pytest.mark.parametrize("votes", [votes_of((None, "1"), (None, "2")), votes_of(("accept", "0"), ("reject", "0")), []])
def test_nobody_with_any_weight(votes: list[Vote]) -> None:
    counted = count(votes, Rules(LABELS, Decimal(0), 0))
    assert (counted.leading, counted.agreement, counted.carried) == (None, Fraction(0), False)


def test_a_vote_outside_the_labels_is_an_error() -> None:
    with pytest.raises(KeyError):
        count(votes_of(("maybe", "1")), RULES)


def test_shares_are_rounded_down() -> None:
    assert shown(Fraction(59_999, 100_000)) == 0.5999
    assert shown(Fraction(3, 5)) == 0.6
    assert shown(Fraction(1)) == 1.0
