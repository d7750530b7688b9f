import pytest

from moot.argument.contests import (
    Add,
    Contest,
    Edit,
    Reject,
    RejectRelation,
    Relate,
    Reweigh,
    contest,
    edited,
)
from moot.argument.graph import ArgumentError, Graph

DEBATE = Graph.of(
    ["phi", "not phi", "P1", "O1"],
    [("phi", "not phi"), ("not phi", "phi"), ("O1", "P1")],
    [("P1", "phi")],
)


def changed(found: Contest) -> dict[str, str]:
    return {change.argument: str(change) for change in found.changes}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Reject("P1"), Graph.of(["phi", "not phi", "O1"], [("phi", "not phi"), ("not phi", "phi")])),
        (
            RejectRelation("O1", "P1"),
            Graph.of(DEBATE.names, [("phi", "not phi"), ("not phi", "phi")], [("P1", "phi")]),
        ),
        (
            RejectRelation("P1", "phi", "support"),
            Graph.of(DEBATE.names, [("phi", "not phi"), ("not phi", "phi"), ("O1", "P1")]),
        ),
        (Add("O2", weight=0.9, text="but"), DEBATE.with_argument("O2", weight=0.9, text="but")),
        (Relate("O1", "phi", "support"), DEBATE.with_relations(supports=[("O1", "phi")])),
        (Relate("O1", "phi", "rebuttal"), DEBATE.with_relations([("O1", "phi")])),
        (
            Relate("O1", "P1", "undercut"),
            Graph.of(DEBATE.names, [("phi", "not phi"), ("not phi", "phi")], [("P1", "phi")], undercuts=[("O1", "P1")]),
        ),
        (Reweigh("O1", 0.1), DEBATE.reweighted({"O1": 0.1})),
    ],
)
def test_edits(edit: Edit, expected: Graph) -> None:
    assert edited(DEBATE, edit) == expected
    assert edited(DEBATE) == DEBATE


def test_an_undercut_can_become_a_rebuttal_again() -> None:
    assert edited(DEBATE, Relate("O1", "P1", "undercut"), Relate("O1", "P1", "rebuttal")) == DEBATE


@pytest.mark.parametrize("edit", [Reject("P9"), RejectRelation("P1", "O1"), Reweigh("P1", 2), Add("P1")])
def test_edits_that_make_no_sense(edit: Edit) -> None:
    with pytest.raises(ArgumentError):
        contest(DEBATE, edit)


def test_what_moves_is_listed_with_its_status() -> None:
    found = contest(DEBATE, Reject("P1"))
    assert found.before["phi"] == pytest.approx(0.4615, abs=1e-4)
    assert found.after["phi"] == found.after["not phi"]
    assert list(found.sentences()) == [
        "Contested: P1 is rejected.",
        "P1 is gone.",
        "phi falls from 0.462 to 0.385.",
        "not phi rises from 0.362 to 0.385.",
    ]
    [change] = (one for one in contest(DEBATE, Reject("O1")).changes if one.argument == "P1")
    assert change.before is not None
    assert change.after is not None
    assert (change.before.grounded, change.after.grounded) == (False, True)
    assert (change.before.state, change.after.state) == ("below", "untouched")


def test_what_stays_is_not_listed() -> None:
    found = contest(DEBATE, Relate("O1", "P1", "rebuttal"))
    assert found.changes == ()
    assert list(found.sentences())[1:] == ["No argument stands otherwise than before."]


def test_a_new_argument_and_a_grounded_one_that_keeps_its_score() -> None:
    graph = Graph.of("ab", weights={"b": 0.0})
    found = contest(graph, Add("c", weight=0.0), Relate("c", "a", "rebuttal"))
    assert changed(found) == {
        "c": "c is new, with 0.000",
        "a": "a stays at 0.500, now at one half, and no longer stands by the attacks alone",
    }


def test_scores_that_no_longer_settle_are_said_to() -> None:
    groups = {group: [f"{group}{i}" for i in range(6)] for group in "abc"}
    pairs = [(x, y) for one, other in ("ab", "bc", "ca") for x in groups[one] for y in groups[other]]
    graph = Graph.of([name for group in groups.values() for name in group], undercuts=pairs)
    halted = edited(graph, *(RejectRelation(*pair) for pair in pairs if pair[0][0] == "c"))
    found = contest(halted, *(Relate(*pair, kind="undercut") for pair in pairs if pair[0][0] == "c"))
    assert found.before.converged
    assert not found.after.converged
    assert "goes from" in str(found.changes[0])
    assert list(found.sentences())[-3:] == [
        "13 more stand otherwise than before.",
        "The scores of 18 do not settle.",
        "By the attacks alone an argument stands (is grounded) if each attack on it is answered, whatever the scores.",
    ]
