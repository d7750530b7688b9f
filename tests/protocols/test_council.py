"""The council: blind rankings, what is measured in them, and what happens when somebody fails."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import EmptyReply
from moot.protocols.council import Outcome
from moot.stats.ranks import kendall_w, placed, self_preference
from tests.kit.shelf import BAD as BAD_REPLIES
from tests.kit.shelf import briefed, demonstrated, report_rows

BAD = {"reasons": "All are good.", "ranking": ["A", "A", "B"]}


def council(folder: Path, replies: dict[str, Any] | None = None) -> tuple[Outcome, moot.Result, list[moot.Request]]:
    result, model = demonstrated("council", folder, replies)
    assert isinstance(result.outcome, Outcome)
    return result.outcome, result, model.requests


def test_the_figures_of_the_demonstration(tmp_path: Path) -> None:
    found, result, _ = council(tmp_path)
    assert [(one.name, one.mean, one.own, one.firsts) for one in found.ranking] == [
        ("Member 1", 1.0, 1, 2),
        ("Member 3", 2.0, 1, 1),
        ("Member 2", 3.0, 3, 0),
    ]
    assert found.agreement == pytest.approx(7 / 9)
    assert found.self_preference == pytest.approx((0.0 + 1.0 + 0.0) / 3)
    assert (found.follows, found.departed) == ("Member 3", True)
    assert "chairman_departed" in [flag.code for flag in result.flags]
    brief = result.summary.brief
    assert result.summary.headline == (brief.answer or "").removesuffix(".")
    assert found.answer and found.answer != brief.answer, "the whole text stands below it"


def test_the_brief_of_the_chairman_cites_answers_and_says_how_firm_it_is(tmp_path: Path) -> None:
    _, result, _ = council(tmp_path)
    entries = {entry.seq: entry for entry in result.stored.entries()}
    brief = result.summary.brief
    cited = [[entries[seq].speaker for seq in point.entries] for point in brief.because]
    assert cited == [["Member 3"], ["Member 3", "Member 1"], ["Member 1"]]
    assert brief.source is not None and entries[brief.source].type == "final"
    assert brief.firmness.startswith("Contested: the members’ rankings agree to 0.78 of 1")
    assert brief.objection and brief.agreed and brief.would_change_it and brief.next


def test_nobody_is_told_whose_an_answer_is(tmp_path: Path) -> None:
    _, result, requests = council(tmp_path)
    readers = [one for one in requests if "answer A" in one.messages[-1].content]
    assert len(readers) == 4
    for request in readers:
        text = "\n".join(message.content for message in request.messages)
        assert "Member" not in text and "scripted" not in text
        assert len(request.messages) == 2, "a ranking is asked of somebody who does not remember the own answer"
    orders = [entry.data.lettered for entry in result.stored.entries() if entry.type == "ranking"]  # type: ignore[union-attr]
    assert len(set(orders)) > 1, "each sees them in an order of its own"


def test_an_own_vote_does_not_count(tmp_path: Path) -> None:
    orders = {"a": ["a", "b", "c"], "b": ["b", "a", "c"], "c": ["c", "b", "a"]}
    # b is ahead of a by c, and of c by a; a is ahead of c by b.
    assert {one.name: (one.mean, one.own) for one in placed(orders)} == {"b": (1.0, 1), "a": (2.0, 1), "c": (3.0, 1)}
    assert self_preference(placed(orders)) == pytest.approx(1.0)
    assert self_preference(placed({}, ["a"])) is None


def test_who_puts_the_own_answer_first_gains_nothing() -> None:
    """Whatever places members give themselves, the mean places and the first places are the same."""
    others = {"a": ["b", "c"], "b": ["a", "c"], "c": ["b", "a"]}

    def means(own: dict[str, int]) -> dict[str, tuple[float | None, int]]:
        ballots = {name: [*order[: own[name]], name, *order[own[name] :]] for name, order in others.items()}
        return {one.name: (one.mean, one.firsts) for one in placed(ballots)}

    every = [dict(zip("abc", places, strict=True)) for places in itertools.product(range(3), repeat=3)]
    assert {json.dumps(means(own), sort_keys=True) for own in every} == {json.dumps(means(every[0]), sort_keys=True)}
    assert means(every[0]) == {"b": (1.0, 2), "a": (2.0, 1), "c": (3.0, 0)}


def test_of_two_members_nobody_can_rank_the_answers() -> None:
    """Each would judge its own answer. Somebody without one can."""
    assert [one.mean for one in placed({"a": ["b", "a"], "b": ["b", "a"]})] == [None, None]
    found = placed({"a": ["a", "b"], "c": ["b", "a"]})
    assert [(one.name, one.mean) for one in found] == [("b", 1.0), ("a", 2.0)]


@pytest.mark.usefixtures("reports_are_read")
def test_the_ranking_names_the_models(tmp_path: Path) -> None:
    _, result, _ = council(tmp_path)
    assert ["Member 1, scripted/demo:council", "1.00", "1", "2"] in report_rows(result)


def test_an_answer_of_spaces_is_none(tmp_path: Path) -> None:
    blank = briefed(" ", follows="A", in_full=" ")
    found, result, _ = council(tmp_path, {"chairman/final": [blank] * 3})
    assert (found.answer, result.summary.decided) == (None, False)


def test_answers_that_nobody_ranked_are_told(tmp_path: Path) -> None:
    found, result, _ = council(tmp_path, {f"member-{n}@rank/ranking": BAD_REPLIES for n in (1, 2, 3)})
    assert (found.rankings, found.agreement, found.departed) == (0, None, None)
    assert result.summary.reached == "The chairman wrote it from 3 answers and 0 blind rankings."


def test_the_agreement_of_rankings_is_kendalls() -> None:
    # Three interviewers of six applicants, from Siegel, Nonparametric Statistics (1956): W = 0.16.
    judges = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
    rankings = [sorted("abcdef", key=lambda one: ranks["abcdef".index(one)]) for ranks in judges]
    assert kendall_w(rankings) == pytest.approx(0.16, abs=5e-3)
    assert kendall_w(["abc", "abc"]) == 1
    assert kendall_w(["ab", "ba"]) == 0
    assert kendall_w(["abc"]) is None and kendall_w([]) is None
    with pytest.raises(ValueError, match="same items"):
        kendall_w(["abc", "abd"])


def test_a_ranking_with_a_letter_twice_is_sent_back_and_then_missing(tmp_path: Path) -> None:
    found, result, requests = council(tmp_path, {"member-1@rank/ranking": [BAD, BAD, BAD]})
    again = [one for one in requests if one.key == "member-1@rank/ranking"]
    asked = (again[0].schema or {})["properties"]["ranking"]
    assert (asked["minItems"], asked["maxItems"]) == (3, 3), "a list without an end is repeated to the limit"
    assert len(again) == 3 and "every letter once" in again[1].messages[-1].content
    assert "replies_missing" in [flag.code for flag in result.flags]
    assert next(one for one in found.ranking if one.name == "Member 1").own is None


def test_a_silent_member_is_missing_and_the_council_goes_on(tmp_path: Path) -> None:
    ranked = {"reasons": "One is better.", "ranking": ["B", "A"]}
    silent = {
        "member-2/answer": EmptyReply("nothing was said"),
        **{f"member-{n}@rank/ranking": ranked for n in (1, 2, 3)},
    }
    final = briefed("It depends.", follows="none", in_full="It depends.")
    found, result, _ = council(tmp_path, {**silent, "chairman/final": final})
    assert result.status == "done" and set(found.answers) == {"Member 1", "Member 3"}
    assert (found.answer, found.follows, found.departed) == ("It depends.", None, True)


def test_a_chairman_without_an_answer_leaves_none(tmp_path: Path) -> None:
    found, result, _ = council(tmp_path, {"chairman/final": ["?", "?", "?"]})
    assert (found.answer, found.departed, result.summary.decided) == (None, None, False)
    assert result.summary.headline == "The council gave no answer"
    assert result.summary.reached.startswith("The chairman wrote nothing from 3 answers")
    assert {failure.agent for failure in result.failures} == {"Chairman"}


def test_everybody_for_itself_is_flagged(tmp_path: Path) -> None:
    first, _, _ = council(tmp_path / "first")
    run = moot.list_runs(str(tmp_path / "first"))[0]
    selfish = {}
    for entry in run.entries():
        if entry.type == "ranking":
            letters = dict(zip(entry.data.lettered, "ABC", strict=True))  # type: ignore[union-attr]
            own = letters.pop(entry.speaker)
            number = entry.speaker[-1]
            selfish[f"member-{number}@rank/ranking"] = {"reasons": "Mine.", "ranking": [own, *letters.values()]}
    found, result, _ = council(tmp_path / "selfish", selfish)
    assert "everybody_for_itself" in [flag.code for flag in result.flags]
    assert (found.self_preference or 0) > (first.self_preference or 0)


def test_an_answer_in_json_is_sent_back(tmp_path: Path) -> None:
    found, _, requests = council(tmp_path, {"member-1/answer": ['{"answer": "Yes."}', "Yes, for two reasons."]})
    assert found.answers["Member 1"] == "Yes, for two reasons."
    assert "it is JSON" in [one.messages[-1].content for one in requests if one.key.startswith("member-1/answer")][1]
