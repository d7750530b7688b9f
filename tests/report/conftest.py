"""Runs of every kind with the worst texts there are, and of some the same in plain words."""

import re
from typing import Any

import pytest

import moot
from moot.engine.sources.context import ContextDocument
from moot.testing import Scripted
from tests.kit.arenas import arena, comparison, criticism, letter_of, plain_reply, reading, revision
from tests.kit.chaired import ABSENT, GOOD, hold, turn
from tests.kit.hostile import MILD, PAYLOADS, WORST, Runs, mild, reported, worst
from tests.kit.panels import PANELLISTS, opinion, panel, ruling
from tests.kit.persuasions import CAST, Replies, persuade, say, since


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("runs")
    return Runs(reported(mild(folder)), reported(worst(folder)))


def arena_course(text: str) -> Any:
    """An arena in which everybody says this text, one changes its mind, one dissents, one reading is lost."""

    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        own = {"ada": "Cache it.", "bo": "Buy it.", "cy": "Delete it."}.get(part, "")
        match request.key.split("/")[1:]:
            case ["propose"]:
                return {"proposal": f"{own} {text}", "decision": f"{own} {text}"}
            case ["revise", number]:
                moved = part == "bo" and number == "3"
                return revision(f"{own} {text}\n\nRound {number}.", "Ada" if moved else None, text if moved else "")
            case ["critique"]:
                return {
                    name: [{**criticism(text)[0], "suggestion": text}] for name in (request.schema or {})["properties"]
                }
            case ["vote"]:
                choice = letter_of(request, "Buy it." if part == "bo" else "Cache it.")
                return {"reason": text, "choice": choice, "confidence": 70}
            case ["judging"]:
                scored: dict[str, Any] = reading(request, {"Cache it.": 8, "Buy it.": 6, "Delete it.": 4})
                return {key: text if key.startswith("reason_") else value for key, value in scored.items()}
            case ["agree", *_]:
                return comparison(request, "no", text)
            case ["observe"]:
                turns = (request.schema or {})["properties"]
                return {turn: {"kinds": ["evidence"], "fallacies": [{"name": text, "words": "it."}]} for turn in turns}
        return plain_reply(request)

    return reply


@pytest.fixture(scope="session")
def arenas(tmp_path_factory: pytest.TempPathFactory) -> tuple[moot.Run, moot.Run]:
    """Two arenas of one shape: one in plain words, one full of traps."""
    folder = tmp_path_factory.mktemp("arenas")
    found = []
    worst = ContextDocument(title="Worst", text=WORST).text
    # A document is shown line by line, so both have as many.
    for text, document in (("A plain sentence.", re.sub(r".", "x", worst)), (WORST, worst)):
        documents = [{"title": text[:60], "text": document}]
        result, _ = arena(
            folder,
            plain=arena_course(text),
            reports=True,
            documents=documents,
            observer=True,
            convergence_threshold=1,
        )
        assert result.status == "done", result.reason
        found.append(moot.find_run(result.run))
    return found[0], found[1]


BETTER = "A better idea."


def panel_course(text: str) -> dict[str, Any]:
    """A panel that sends the idea back once, in which everybody says the same, one fails, and one dissents."""
    whole = {"claim": text, "evidence": [text], "acknowledged_weaknesses": [text], "modifications": [text]}
    said: dict[str, Any] = {}
    for version, label in (("", "modify"), ("@2", "accept")):
        for who in PANELLISTS:
            held = "reject" if who == "critic" else label
            for number in (1, 2):
                others = [{"to": "Innovator", "stance": "partial", "text": text}] if who != "innovator" else []
                said[f"{who}{version}/round/{number}"] = opinion(held, **whole, responses=others)
        lists = {key: [text] for key in ("inconsistencies", "because", "modifications_required")}
        parts = dict.fromkeys(("reasoning", "objection", "agreed", "would_change_it", "next", "answer"), text)
        said[f"validator{version}/rule/2"] = ruling(label, adopted=["P1"], **lists, **parts)
    failing: list[Scripted] = ["?", "?", "?"]
    return {**said, "innovator@2/round/2": failing, "reviser/revise": {"idea": f"{BETTER}\n{text}"}}


@pytest.fixture(scope="session")
def panels(tmp_path_factory: pytest.TempPathFactory) -> tuple[moot.Run, moot.Run]:
    """Two panels of one shape: one in plain words, one full of traps."""
    folder = tmp_path_factory.mktemp("panels")
    found = []
    for text in (MILD, WORST):
        result, _ = panel(folder, panel_course(text), idea=f"An idea.\n{text}", require="accept", truth="accept")
        assert result.status == "done"
        found.append(moot.find_run(result.run))
    return found[0], found[1]


@pytest.fixture(scope="session")
def dialogue(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    """A dialogue in which everybody says the worst there is, a move is sent back and a turn forfeited."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "code").mkdir()
    (folder / "code" / "rewrite.md").write_text("\n".join(["We should rewrite it.", *PAYLOADS]), "utf-8")
    worst = WORST[:1100]
    found: dict[str, Any] = {
        "valid_points_of_the_loser": PAYLOADS[:3],
        "unaddressed_questions": PAYLOADS[3:6],
        "concessions_that_mattered": PAYLOADS[6:9],
        "because": [{"reason": one, "rests_on": PAYLOADS[:2]} for one in PAYLOADS[9:12]],
        "objection": PAYLOADS[12],
        "agreed": worst,
        "would_change_it": worst,
        "next": worst,
        "answer": worst,
        "follows": "neither",
    }
    replies: Replies = {
        "proponent/move/0": say("claim A1", worst),
        "opponent/move/1": say("rebut A1", worst),
        "moderator@1/look": {"ruling": "straw man", "reason": worst[:400]},
        "opponent/move/1/again": say("rebut A1", worst),
        "proponent/move/2": since("since A1", *PAYLOADS[:4], text=worst),
        "opponent/move/3": say("undercut P3", "\n\n".join(PAYLOADS[4:9])),
        "proponent/move/4": say("rebut A2", "\n\n".join(PAYLOADS[9:13])),
        "opponent/move/5": ["?", "?", "?"],
        "proponent/closing": {"statement": worst},
        "opponent/closing": {"statement": worst, "give_up": []},
        "moderator/findings": found,
    }
    names = {"proponent": "<img src=x onerror=window.pwned=1>", "opponent": "- </details>'\"{{7*7}}|`*_#[x](y)"}
    cast = {part: {**CAST[part], "name": name, "bias": WORST} for part, name in names.items()}
    reason = {"rationale": worst, "cites": ["A1"], "strongest": []}
    replies["moderator/rationale"] = [{**reason, "winner": name} for name in names.values()]
    result, _ = persuade(folder / "runs", replies, evidence=[str(folder / "code")], perspective=PAYLOADS[0], **cast)
    assert result.status == "done", result.reason
    return moot.find_run(result.run)


UNBROKEN = "<img src=x onerror='window.pwned = 1'> </p></div><script>window.pwned = 1</script> " + "unbroken" * 60


@pytest.fixture(scope="session")
def chaired(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    answers = {
        "promoter@opening/turn": turn("opening_statement", UNBROKEN, GOOD),
        "promoter@r1/turn": turn("new_point", f"Struck. {UNBROKEN}", f"{ABSENT}/{'long' * 100}"),
        "audience@r1/questions": {"questions": [{"to": "detractor", "question": UNBROKEN}]},
    }
    held, _ = hold(tmp_path_factory.mktemp("chaired"), answers)
    return held
