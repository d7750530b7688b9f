"""The persuasion protocol, driven through the public API and judged by its log."""

import asyncio
import io
import subprocess
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.models.human import HumanModel
from moot.present import Point
from moot.protocols.persuasion.config import PersuasionConfig
from moot.protocols.persuasion.payloads import DialogueMove, MoveSentBack, SharedContext, TurnForfeited
from moot.record.payloads import Header
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import assert_sound
from tests.kit.persuasions import CAST, GAME, LOOKS, OPP, TOPIC, Replies, outcome, persuade, say, since
from tests.kit.runs import asked, entries


def moves(result: moot.Result) -> list[DialogueMove]:
    return [entry.data for entry in entries(result) if isinstance(entry.data, DialogueMove)]


def test_a_whole_dialogue(tmp_path: Path) -> None:
    result, model = persuade(tmp_path)
    assert (result.status, result.failures) == ("done", [])
    told = [(one.id, one.act, one.proposition, one.rule) for one in moves(result)]
    assert told == [
        ("P1", "claim", "A1", None),
        ("O1", "claim", "A2", None),
        ("O2", "why", "A1", "challenge"),
        ("P2", "why", "A2", "challenge"),
        ("P3", "since", "A1", None),
        ("O3", "claim", "A5", None),
        ("P4", "since", "A1", None),
        ("O4", "since", "A5", None),
        ("P5", "concede", "A7", None),
        ("O5", "concede", "A3", None),
        ("O6", "concede", "A6", None),
        ("O7", "retract", "A2", "unbacked"),
    ]
    assert result.spent.calls == len(model.requests) == 6 * 2 + 2 + 2
    assert_sound(moot.find_run(result.run))


def test_the_result_is_the_specifications(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path)
    found = outcome(result)
    assert (found.winner, found.winning_side, found.decided_by) == ("Pia", "PRO", "root scores")
    # s(A5) = 0.5 + 0.2·0.5; s(A1) = 0.5 + 0.2·(0.5 + 0.5 + 0.5) − 0.4·0.6; nothing backed A2, ¬φ
    assert found.scores == {"claim": 0.56, "denial": None}
    assert found.commitments == {"PRO": ["A1", "A3", "A4", "A6", "A7"], "OPP": ["A3", "A5", "A6", "A7"]}
    assert [(one.side, one.proposition) for one in found.concessions] == [
        ("PRO", "A7"),
        ("OPP", "A3"),
        ("OPP", "A6"),
    ]
    assert found.framework is not None
    related = {(one.source, one.target): one.kind for one in found.framework.relations}
    assert related == {
        ("A3", "A1"): "support",
        ("A4", "A1"): "support",
        ("A5", "A1"): "undercut",
        ("A6", "A1"): "support",
        ("A7", "A5"): "support",
    }
    assert [(one.source, one.target, one.kind, one.via) for one in found.framework.derived] == [
        ("A7", "A1", "supported", "A5")
    ]
    assert found.framework.grounded == ["A3", "A4", "A5", "A6", "A7"]
    assert found.framework.preferred == [["A3", "A4", "A5", "A6", "A7"]]
    assert (found.framework.certificate.certificate, found.framework.certificate.converged) == ("acyclic", True)
    assert found.by_semantics == {"moot": "PRO", "dfquad": "PRO", "grounded": "OPP", "preferred": "OPP"}
    assert [(one.id, one.fate) for one in found.framework.arguments] == [
        ("A1", "stands"),
        ("A3", "conceded"),
        ("A4", "stands"),
        ("A5", "stands"),
        ("A6", "conceded"),
        ("A7", "conceded"),
    ]
    [fell] = found.framework.fallen
    assert (fell.id, fell.fate, fell.reason) == ("A2", "struck", "the reason that was owed for it is missing, in O7")
    assert [(one.source, one.target) for one in found.framework.fallen_relations] == [("A2", "A1"), ("A1", "A2")]
    assert found.metrics is not None
    assert found.metrics.standing == 6
    assert (found.metrics.arguments, found.metrics.rebuts, found.metrics.undercuts) == (7, 1, 1)
    assert (found.metrics.supports, found.metrics.concessions, found.metrics.retractions) == (4, 3, 1)
    assert found.verdict is not None
    assert found.verdict.cites == ["A3", "A6"]
    assert result.summary.brief.agreed == Point(text="Measure first.")


def test_the_header_says_each_bias(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path)
    header = entries(result)[0].data
    assert isinstance(header, Header)
    assert [(one.id, one.role, one.side) for one in header.cast] == [
        ("proponent", "debater", "for"),
        ("opponent", "debater", "against"),
        ("moderator", "moderator", None),
    ]
    assert [one.personality.partition("Bias: ")[2] for one in header.cast] == [
        "Pia likes shipping.",
        "Olaf likes caution.",
        "Mo has none.",
    ]


def test_what_is_offered_is_what_is_legal(tmp_path: Path) -> None:
    _, model = persuade(tmp_path)
    request = next(one for one in model.requests if one.key == "opponent/move/3")
    assert request.schema is not None
    assert sorted(request.schema["properties"]["choice"]["enum"]) == [
        "rebut A1",
        "rebut A3",
        "rebut A4",
        "since A2",
        "undercut P3",
        "why A3",
        "why A4",
    ]
    assert "It is slow." in asked(model, "opponent/move/3")


def test_an_illegal_move_goes_back_with_the_reason(tmp_path: Path) -> None:
    bad: list[Scripted] = [
        since("since A1", "We should rewrite it.", text="A1"),
        since("since A1", "It is slow.", "Nobody knows it."),
    ]
    result, model = persuade(tmp_path, {"proponent/move/2": bad})
    tries = [one.messages[-1].content for one in model.requests if one.key == "proponent/move/2"]
    assert len(tries) == 2
    assert "under debate" in tries[1]
    assert outcome(result).winner == "Pia"


ROOT = "A1: We should rewrite it."


@pytest.mark.parametrize(
    ("given", "premises"),
    [
        ({"premises": ["It is slow.", "Nobody knows it.", "It is old."]}, ["It is slow.", "Nobody knows it."]),
        ({"premises": []}, ["So it is."]),
        ({"content": "- It is slow.\n\n- Nobody knows it."}, ["- It is slow.", "- Nobody knows it."]),
        ({"premises": [ROOT, "It is slow."]}, ["It is slow."]),
        ({"premises": [ROOT], "content": "It is slow."}, ["It is slow."]),
        ({"premises": ["A9", "It is slow."]}, ["It is slow."]),
        ({"premises": "It is slow."}, ["It is slow."]),
        ({"premises": [{"content": "It is slow."}]}, ["It is slow."]),
        ({"choice": "since A1, answering O1", "premises": ["It is slow."]}, ["It is slow."]),
        ({"choice": "`since A1`", "premises": ["It is slow."]}, ["It is slow."]),
    ],
)
def test_reasons_are_taken_as_they_are_meant(tmp_path: Path, given: dict[str, Any], premises: list[str]) -> None:
    reply = {**since("since A1"), **given}
    for name, move in (("flat", reply), ("nested", {"move": reply})):
        replies: Replies = {
            "proponent/move/2": move,
            "opponent/move/3": "?",
            "proponent/closing": {"statement": "It pays."},
            "opponent/closing": {"statement": "It does not."},
        }
        result, model = persuade(tmp_path / name, replies)
        made = next(one for one in moves(result) if one.id == "P3")
        assert [put.content for put in made.puts] == premises
        assert sum(one.key == "proponent/move/2" for one in model.requests) == 1


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("proponent/move/4", since("since A1", "It is slow.", "Nobody knows it.")),
        ("proponent/move/4", since("since A1", "nobody knows it")),
        ("opponent/move/3", say("rebut A3", "A3: It is slow.")),
        ("opponent/move/3", say("rebut A1", "We should rewrite it!")),
    ],
)
def test_a_move_that_was_made_is_lost_and_not_asked_for_again(tmp_path: Path, key: str, said: Scripted) -> None:
    replies: Replies = {
        "proponent/move/4": "?",
        "opponent/move/5": "?",
        key: said,
        "proponent/closing": {"statement": "It pays."},
        "opponent/closing": {"statement": "It does not."},
    }
    result, model = persuade(tmp_path, replies)
    assert [one.key for one in model.requests if one.key.endswith((key[-2:], f"@{key[-1]}/look"))] == [key]
    assert "again" in next(one.data.failure for one in entries(result) if isinstance(one.data, TurnForfeited))


def test_illegal_moves_forfeit_the_turn(tmp_path: Path) -> None:
    stolen = say("rebut A4", "It is slow.")
    result, _ = persuade(tmp_path, {"opponent/move/3": stolen, "opponent/move/5": "?"})
    lost = [one.data for one in entries(result) if isinstance(one.data, TurnForfeited)]
    assert [(one.side, one.agent, one.round, one.turn) for one in lost] == [
        ("OPP", "Olaf", 1, 3),
        ("OPP", "Olaf", 1, 5),
    ]
    assert "which the other side has put forward" in lost[0].failure
    assert any("which the other side" in failure.reason for failure in result.failures)
    assert outcome(result).metrics.forfeited == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("mends", [True, False])
def test_the_moderator_sends_a_personal_attack_back_once(tmp_path: Path, mends: bool) -> None:
    """The second try is looked at, too: an attack in it costs the turn."""
    rude, attack = say("undercut P3", "Pia CANARY cannot count."), {"ruling": "personal attack", "reason": "Of Pia."}
    replies: Replies = {
        "opponent/move/3": rude,
        "moderator@3/look": attack,
        "opponent/move/3/again": GAME["opponent/move/3"] if mends else rude,
    }
    if not mends:
        closings = {f"{part}/closing": {"statement": "So it is."} for part in ("proponent", "opponent")}
        replies |= {"moderator@3/again/look": attack, "opponent/move/5": "?", **closings}
    result, model = persuade(tmp_path, replies)
    entry, *_ = [one for one in entries(result) if isinstance(one.data, MoveSentBack)]
    assert isinstance(entry.data, MoveSentBack)
    assert (entry.data.fault, entry.data.reason, entry.data.move) == ("personal attack", "Of Pia.", "undercut P3")
    assert entry.to == ["Olaf", "Mo"]
    lost = [(one.data.side, one.data.round) for one in entries(result) if isinstance(one.data, TurnForfeited)]
    assert lost[:1] == ([] if mends else [("OPP", 1)])
    assert ("opponent/move/3/again" in [one.call for one in entries(result) if one.type == "move"]) is mends
    assert sum(one.key == "moderator@3/again/look" for one in model.requests) == 1
    assert not any(one.agent == "proponent" and "CANARY" in str(one.messages) for one in model.requests)
    assert "CANARY" not in outcome(result).model_dump_json()
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize(
    ("label", "winner", "how"),
    [
        ("concede A2", "Olaf", "concession"),
        ("retract A1", "Olaf", "retraction"),
        ("concede A1", "Pia", "concession"),
        ("retract A2", "Pia", "retraction"),
    ],
)
def test_who_gives_in_loses(tmp_path: Path, label: str, winner: str, how: str) -> None:
    key = "proponent/move/4" if winner == "Olaf" else "opponent/move/5"
    rest = {name: value for name, value in GAME.items() if name != "opponent/move/5"}
    changed: Replies = {
        key: say(label, "Right."),
        "opponent/closing": {"statement": "It does not."},
        "moderator/rationale": {"winner": winner, "rationale": "A1 decides.", "cites": ["A1"], "strongest": []},
    }
    result, model = persuade(tmp_path, changed, rest)
    found = outcome(result)
    assert (found.winner, found.decided_by, found.ended_early) == (winner, how, winner == "Olaf")
    assert "proponent/closing" in {one.key for one in model.requests}, "both make final statements"


def test_the_perspective_reaches_the_moderator_and_nobody_else(tmp_path: Path) -> None:
    result, model = persuade(tmp_path, perspective="an on-call engineer")
    assert outcome(result).perspective == "an on-call engineer"
    assert "from the viewpoint of an on-call engineer" in asked(model, "moderator/rationale")
    assert not any("on-call" in str(one.messages) for one in model.requests if one.agent != "moderator")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "notes.md").write_text("The rewrite was tried once and we should not forget why it failed.\n", "utf-8")
    (folder / "secret.log").write_text("rewrite rewrite rewrite\n", "utf-8")
    (folder / ".gitignore").write_text("*.log\n", "utf-8")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(folder)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Revert the rewrite, it was slower"], check=True)
    return folder


def test_the_shared_context_comes_from_folders_and_history(tmp_path: Path, repository: Path) -> None:
    replies: Replies = {
        "proponent/move/2": since("since A1", "The rewrite is overdue [K1].", "K2"),
        "proponent/closing": {"statement": "It pays."},
    }
    result, model = persuade(tmp_path / "runs", replies, evidence=[str(repository)])
    context = entries(result)[1].data
    assert isinstance(context, SharedContext)
    quotes = {fact.id: (fact.source, fact.quote) for fact in context.facts}
    assert quotes["K1"] == ("code/notes.md:1-1", (repository / "notes.md").read_text("utf-8").strip())
    assert quotes["K2"][0].startswith("commit ")
    assert "Revert the rewrite" in quotes["K2"][1]
    assert not any("secret" in fact.source for fact in context.facts)
    found = outcome(result)
    assert found.framework is not None
    evidence = {one.id: one.evidence for one in found.framework.arguments}
    assert (evidence["A3"], evidence["A4"]) == (["K1"], ["K2"])
    for agent in ("proponent", "opponent", "moderator"):
        system = next(one for one in model.requests if one.agent == agent).messages[0].content
        assert "we should not forget why it failed" in system
    # What was found is on record: the run is replayed without the folder.
    (repository / "notes.md").unlink()
    assert_sound(moot.find_run(result.run))


def test_evidence_that_is_not_there_leaves_no_run(tmp_path: Path) -> None:
    with pytest.raises(moot.ConfigError, match="there is no"):
        persuade(tmp_path, evidence=[str(tmp_path / "nowhere")])
    assert moot.list_runs(str(tmp_path)) == []


def test_a_person_chooses_from_a_list_and_types_sentences(tmp_path: Path) -> None:
    typed = [
        *("As K4 shows, let us.", "As K4 shows, let us."),  # the only move there is, asked about once
        *("So it is.", "It is slow [K4].", ""),  # nothing was gathered, so it is asked for again
        *("So it is.", "It is slow.", "Nobody knows it.", ""),
        *("since A1", "And so it is.", "Patching has failed twice.", ""),
        *("It pays, says K5.", "It pays, says K5.", ""),
    ]
    result, asked = with_a_person(tmp_path, typed)
    assert outcome(result).scores == {"claim": 0.56, "denial": None}
    assert "That was not right: K4 is not in the shared context" in asked
    assert asked.count("That was not right: there is no fact K4 on record") == 1
    assert [one.ids for one in outcome(result).unknown_ids] == [["K4"], ["K5"]]
    assert_sound(moot.find_run(result.run))


def with_a_person(folder: Path, typed: list[str], **settings: Any) -> tuple[moot.Result, str]:
    """The game with a person as proponent, and everything that the person was asked."""
    ask = io.StringIO()
    person = HumanModel("Pia", ask=ask, answer=io.StringIO("\n".join(typed) + "\n"))
    others = {key: value for key, value in GAME.items() if not key.startswith("proponent/")}
    model = ScriptedModel({**others, **LOOKS})
    result = asyncio.run(
        moot.persuasion(
            TOPIC,
            rounds=1,
            model=model.name,
            roles={"proponent": person.name},
            models={model.name: model, person.name: person},
            out=str(folder),
            **CAST,
            **settings,
        )
    )
    assert result.status == "done", result.reason
    return result, ask.getvalue()


TYPED = [
    *("Let us rewrite it.", "So it is.", "It is slow.", "Nobody knows it.", ""),
    *("since A1", "And so it is.", "Patching has failed twice.", ""),
]


def test_a_person_gives_up_in_the_final_statement(tmp_path: Path) -> None:
    notes = {"title": "Notes", "text": "It is slow."}
    result, asked = with_a_person(
        tmp_path / "a", [*TYPED, "You are right in this.", "concede A7", ""], documents=[notes]
    )
    assert "Cite facts and documents by their ids" in " ".join(asked.split())
    assert "- A7, theirs (“Two people know it well.”): `concede A7`" in asked
    assert "`concede A2` (you lose the dialogue)" in " ".join(asked.split())
    granted = [(one.side, one.proposition) for one in outcome(result).concessions]
    assert granted == [("PRO", "A7"), ("OPP", "A3"), ("OPP", "A6")]
    assert outcome(result).scores == outcome(persuade(tmp_path / "b")[0]).scores
    assert_sound(moot.find_run(result.run))


def test_a_very_small_model_is_refused(tmp_path: Path) -> None:
    model = ScriptedModel({}, small=True)
    with pytest.raises(moot.ConfigError, match=f"{model.name}: too small"):
        asyncio.run(moot.persuasion(TOPIC, model=model.name, models={model.name: model}, out=str(tmp_path), **CAST))


def test_a_plan_counts_the_calls() -> None:
    config = moot.configure("persuasion", topic=TOPIC, rounds=3, model="openai/gpt-5", **CAST)
    assert asyncio.run(moot.plan(config)).calls == 2 * (2 + 4 * 3) + 2 + 2


def test_the_shipped_proposition_and_cast() -> None:
    config = moot.configure("persuasion").debate
    assert isinstance(config, PersuasionConfig)
    assert config.rounds == 2
    assert config.denial == "We should not keep the billing service inside the monolith."
    assert all(persona.bias for persona in config.cast.values())


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"topic": "T", "opponent": {**OPP, "name": "pia"}}, "names must be unique"),
        ({"topic": "T", "opponent": {**OPP, "name": "Moderator"}}, "part in the script"),
        ({"topic": "T", "rounds": 0}, "rounds"),
        ({"topic": "T", "judge": {}}, "unknown key"),
    ],
)
def test_configs_that_will_not_do(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(moot.ConfigError, match=reason):
        moot.configure("persuasion", **{**CAST, **settings})
