"""The council: blind rankings, what is measured in them, and what happens when somebody fails."""

import itertools
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import EmptyReply
from moot.protocols.council import Outcome
from moot.stats.ranks import kendall_w, odd_one, placed, self_preference
from tests.kit.shelf import BAD, briefed, codes, demonstrated, report_rows

SILENT = EmptyReply("nothing was said")
LETTERS = {"Member 1": "A", "Member 3": "B", "Member 2": "C"}
"""As they are drawn in the demonstration."""


def council(
    folder: Path, replies: dict[str, Any] | None = None, **settings: Any
) -> tuple[Outcome, moot.Result, list[moot.Request]]:
    result, model = demonstrated("council", folder, replies, **settings)
    assert isinstance(result.outcome, Outcome), result.reason
    return result.outcome, result, model.requests


def ranking(order: str, declining: str = "") -> dict[str, Any]:
    reasons = {letter: f"This is what is said of {letter}." for letter in "ABC"}
    return {**reasons, "declining": [*declining], "ranking": [*order]}


def ranked(*orders: dict[str, Any] | list[str]) -> dict[str, Any]:
    return {f"member-{number}@rank/ranking": order for number, order in enumerate(orders, 1)}


def final(follows: str = "A", **more: Any) -> dict[str, Any]:
    return briefed("It depends.", follows=follows, in_full="It depends on it.", **more)


def sent(requests: list[moot.Request], key: str) -> str:
    return next(one for one in requests if one.key == key).messages[-1].content


def test_the_figures_of_the_demonstration(tmp_path: Path) -> None:
    found, result, _ = council(tmp_path)
    assert [(one.name, one.place, one.own, one.firsts) for one in found.ranking] == [
        ("Member 1", 1.0, 1, 1),
        ("Member 3", 2.0, 1, 0),
        ("Member 2", 3.0, 3, 0),
    ]
    assert found.agreement == pytest.approx(7 / 9)
    assert found.self_preference == pytest.approx(1 / 3)
    assert (found.follows, found.departed, codes(result)) == ("Member 3", True, ["chairman_departed"])
    brief, entries = result.summary.brief, {entry.seq: entry for entry in result.stored.entries()}
    assert found.answer == brief.answer and found.in_full and found.in_full != found.answer
    assert result.summary.headline == (brief.answer or "").removesuffix(".")
    cited = [[entries[seq].speaker for seq in point.entries] for point in brief.because]
    assert cited == [["Member 3"], ["Member 3", "Member 1"], ["Member 1"]]
    assert brief.source is not None and entries[brief.source].type == "final"
    assert brief.firmness.startswith("Contested: the members’ rankings agree to 0.78 of 1")


@pytest.mark.usefixtures("reports_are_read")
def test_nobody_is_told_whose_an_answer_is_and_each_reads_them_in_another_order(tmp_path: Path) -> None:
    _, result, requests = council(tmp_path)
    readers = [one for one in requests if "answer A" in one.messages[-1].content]
    assert len(readers) == 4
    for request in readers:
        text = "\n".join(message.content for message in request.messages)
        assert "Member" not in text and "scripted" not in text
        assert len(request.messages) == 2, "a ranking is asked of somebody who does not remember the own answer"
    texts = [one.messages[-1].content for one in readers[:3]]
    orders = [sorted("ABC", key=lambda letter, text=text: text.index(f"<<<answer {letter}")) for text in texts]  # type: ignore[misc]
    assert sorted(map("".join, orders)) == ["ABC", "BCA", "CAB"], "every answer is once in every place"
    assert ["Member 1, scripted/demo:council", "1", "1", "1"] in report_rows(result)


def test_the_chairman_reads_what_the_members_say_of_the_answers_and_their_favourite(tmp_path: Path) -> None:
    _, _, requests = council(tmp_path)
    asked = sent(requests, "chairman/final")
    assert asked.count("<<<ranking ") == 3 and "Separates adding from removing" in asked
    assert "A 1.0, B 2.0, C 3.0" in asked


def test_only_a_vote_for_oneself_does_not_count() -> None:
    everybody_for_a = {name: ["a", "b", "c"] for name in "abc"}
    assert [(one.name, one.place, one.firsts) for one in placed(everybody_for_a)] == [
        ("a", 1.0, 2),
        ("b", 2.0, 0),
        ("c", 3.0, 0),
    ]
    assert [one.place for one in placed({"a": ["a", "b"], "b": ["b", "a"]})] == [None, None], "each is for itself"
    assert [one.name for one in placed({"a": ["b", "a"], "b": ["b", "a"]})] == ["b", "a"], "who gives way counts"
    assert self_preference(placed({}, ["a"])) is None


def test_who_ranks_itself_first_adds_no_vote_for_itself() -> None:
    for orders in itertools.product([*itertools.permutations("abc")], repeat=2):
        others = dict(zip("bc", orders, strict=True))
        first, silent = ({one.name: one for one in placed({"a": own, **others})}["a"] for own in ("abc", "bc"))
        assert (first.place, first.firsts) == (silent.place, silent.firsts)


def test_a_rival_that_is_ranked_last_keeps_its_place() -> None:
    others = {name: [name, *(one for one in "bacde" if one != name)] for name in "bcde"}
    for own in ("abcde", "acdeb"):
        assert [one.name for one in placed({"a": own, **others})][:2] == ["b", "a"]
        assert [one.place for one in placed({"a": own, **others})][:2] == [1.0, 2.0]


@pytest.mark.usefixtures("reports_are_read")
def test_the_ranking_that_agrees_least_with_the_others_places_nobody(tmp_path: Path) -> None:
    """Whoever buries a rival is the odd one, if all others read the answers alike."""
    honest = {"a": "bcad", "b": "bcad", "c": "bcda"}
    assert odd_one(honest) is None, "three all count"
    assert odd_one({**honest, "d": "dacb"}) == "d"
    assert odd_one({**dict.fromkeys("abc", "abc"), "d": "cab"}) == "d", "also where it has no answer of its own"
    assert odd_one(dict.fromkeys("abcd", "abcd")) is None, "nobody is odd alone"
    assert placed({**honest, "d": "dacb"}) != placed({**honest, "d": "dacb"[::-1]})
    assert [(one.name, one.place) for one in placed({**honest, "d": "dacb"})] == [
        (one.name, one.place) for one in placed(honest)
    ]
    orders = {
        f"member-{n}@rank/ranking": {**ranking("ABC"), "D": "x", "ranking": [*("DCBA" if n == 4 else "ABCD")]}
        for n in range(1, 5)
    }
    said = {"member-4/answer": "Four.", "chairman/final": final()}
    _, result, requests = council(tmp_path, {**orders, **said}, agents=4)
    assert "without the ranking that agrees least" in sent(requests, "chairman/final")
    assert "the ranking of Member 4, which agrees least" in (result.stored.path / "report.md").read_text("utf-8")


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


@pytest.mark.parametrize("follows", "ABC")
def test_whoever_shares_the_best_place_can_be_followed(follows: str, tmp_path: Path) -> None:
    orders = ranked(ranking("ABC"), ranking("CAB"), ranking("BCA"))
    found, _, _ = council(tmp_path, {**orders, "chairman/final": final(follows)})
    assert {one.place for one in found.ranking} == {2.0} and found.departed is False


@pytest.mark.parametrize(
    ("votes", "declined"), [(("C", "C", ""), ["Member 2"]), (("C", "", ""), []), (("C", "", None), [])]
)
def test_a_text_that_does_not_answer_is_not_ranked(votes: Any, declined: list[str], tmp_path: Path) -> None:
    lines = zip(("CAB", "CAB", "BCA"), votes, strict=True)
    orders = ranked(*(BAD if out is None else ranking(order, out) for order, out in lines))
    found, result, requests = council(tmp_path, {**orders, "chairman/final": final()})
    assert found.declined == declined
    assert ("Member 2" in [one.name for one in found.ranking]) is not bool(declined)
    assert ("answers_declined" in codes(result)) == bool(declined)
    assert ("<<<answer C" in sent(requests, "chairman/final")) is not bool(declined)
    assert found.answers.keys() == {"Member 1", "Member 2", "Member 3"}, "the record has it"


def test_where_everybody_declines_there_is_no_answer(tmp_path: Path) -> None:
    found, result, _ = council(tmp_path, {**ranked(*[ranking("ABC", "ABC")] * 3), "chairman/final": None})
    assert (found.answer, found.ranking, result.summary.decided) == (None, [], False)
    assert result.summary.headline == "The council gave no answer (every member declined to answer)"


@pytest.mark.parametrize(
    ("replies", "rankings", "answer"),
    [
        (ranked(BAD, BAD, BAD), 0, True),
        ({"chairman/final": BAD}, 3, False),
        ({"chairman/final": [briefed(" ", follows="A", in_full=" ")] * 3}, 3, False),
        ({"member-1@rank/ranking": [ranking("AAB")] * 3}, 2, True),
    ],
)
def test_who_fails_is_missing_and_the_council_goes_on(
    replies: dict[str, Any], rankings: int, answer: bool, tmp_path: Path
) -> None:
    found, result, _ = council(tmp_path, replies)
    assert (found.rankings, found.answer is not None, result.summary.decided) == (rankings, answer, answer)
    assert "replies_missing" in codes(result)


def test_a_silent_member_is_missing(tmp_path: Path) -> None:
    replies = {"member-2/answer": SILENT, **ranked(*[ranking("BA")] * 3), "chairman/final": final("none")}
    found, result, _ = council(tmp_path, replies)
    assert result.status == "done" and set(found.answers) == {"Member 1", "Member 3"}
    assert (found.in_full, found.follows, found.departed) == ("It depends on it.", None, True)


def test_a_ranking_has_every_letter_once(tmp_path: Path) -> None:
    _, _, requests = council(tmp_path, {"member-1@rank/ranking": [ranking("AAB"), ranking("ABC")]})
    again = [one for one in requests if one.key == "member-1@rank/ranking"]
    asked = (again[0].schema or {})["properties"]["ranking"]
    assert (asked["minItems"], asked["maxItems"]) == (3, 3), "a list without an end is repeated to the limit"
    assert len(again) == 2 and "every letter once" in again[1].messages[-1].content


def test_everybody_for_itself_is_flagged(tmp_path: Path) -> None:
    own = [LETTERS[f"Member {number}"] for number in (1, 2, 3)]
    orders = [ranking(letter + "ABC".replace(letter, "")) for letter in own]
    _, result, _ = council(tmp_path, ranked(*orders))
    assert "everybody_for_itself" in codes(result)


def test_members_who_end_in_the_same_answer_rank_nothing(tmp_path: Path) -> None:
    ends = ("**ANSWER:** 4", r"So it is \(\boxed{4}\).", "\\[\n\\boxed{4}\n\\]")
    same: dict[str, Any] = {
        f"member-{number}/answer": f"By way {number}.\n\n{end}" for number, end in enumerate(ends, 1)
    }
    unranked = dict.fromkeys(ranked({}, {}, {}))
    for full in (False, True):
        given = {**same, **(ranked(*[ranking("ABC")] * 3) if full else unranked), "chairman/final": final()}
        found, _, _ = council(tmp_path / str(full), given, answer_form="one number", full=full)
        assert found.rankings == (3 if full else 0)
