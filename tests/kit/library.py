"""Debates to read: one of each protocol, and those that pages find hard."""

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import httpx

import moot
from moot.engine.define.remembered import Cast
from moot.memory.ratings import Game
from moot.memory.store import Outcome, open_store
from moot.record.entry import Draft
from moot.record.payloads import Outside
from moot.testing import Scripted, ScriptedModel
from tests.kit import arenas, hostile
from tests.kit.duels import MODEL, answer_for, full_script, play, small_config, staged, take_up
from tests.kit.panels import labels, panel, rules
from tests.kit.servers import copied

NOTES = 200
Runs = dict[str, moot.Run]


def library(folder: Path, finished: Runs) -> Runs:
    """All of them, by what they are for, and first those that are there. The newest is the last."""
    runs = copied(finished, folder)
    runs["moved"] = moot.find_run(arenas.arena(folder, plain=moving)[0].run)
    runs["revised"] = revised_panel(folder)
    runs["stopped"] = stopped_duel(folder)
    runs["fork"] = forked(runs["duel"], folder)
    runs["hostile"] = hostile.staged(
        folder, hostile.WORST_NAMES, hostile.WORST, hostile.DEEP, hostile.LONG_LINE, "neutral"
    )
    runs["hostile arena"] = moot.find_run(arenas.arena(folder, plain=worst)[0].run)
    return runs


def text_of(answer: httpx.Response) -> str:
    """What a reader sees of a page, folded or not."""
    assert answer.status_code == 200, answer.text
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def moving(request: moot.Request) -> Scripted:
    """An arena in which Cy comes over to Ada, Bo dissents, and the judge's order matters."""
    part = request.agent.partition("@")[0]
    match request.key.split("/")[1:]:
        case ["revise", *_] if part == "cy":
            told = "Cache the compiled modules between runs, and delete the tests that nobody has looked at for a year."
            return {**arenas.revision(told, "Ada", "The log of last month."), "decision": "Cache first."}
        case ["vote", *_] if part == "bo":
            return {"reason": "It helps at once.", "choice": arenas.letter_of(request, "Buy"), "confidence": 60}
        case _:
            return arenas.plain_reply(request)


def worst(request: moot.Request) -> Scripted:
    """An arena in which everybody says the worst."""
    reply: Scripted = _poisoned(arenas.plain_reply(request))
    return reply


def _poisoned(value: Any) -> Any:
    if isinstance(value, dict):
        spoken = ("proposal", "reason", "issue", "suggestion", "differs_in")
        return {key: hostile.WORST if key in spoken else _poisoned(one) for key, one in value.items()}
    return [_poisoned(one) for one in value] if isinstance(value, list) else value


def revised_panel(folder: Path) -> moot.Run:
    said = labels("modify", "modify", "modify", "modify") | rules("modify", modifications_required=["Make it small."])
    idea = "Replace the nightly import with a queue that everybody can read."
    better = {"idea": "Replace the nightly import with a small queue that the importers can read."}
    return moot.find_run(panel(folder, said | {"reviser/revise": better}, idea=idea, max_revisions=1)[0].run)


def stopped_duel(folder: Path) -> moot.Run:
    config = small_config(folder, 2, max_calls=5)
    return moot.find_run(play(config, ScriptedModel(full_script(2), name=MODEL)).run)


def forked(original: moot.Run, folder: Path) -> moot.Run:
    """The duel taken another way from its eighth entry on: Bo wins."""
    twin = moot.fork(original, 7, out=str(folder))
    script = full_script(2) | {
        "judge@verdict/confirm": "Bo",
        "judge@verdict/extract": {"winner": "Bo", "scores": {"Ada": 5, "Bo": 7}},
        "judge/announce": answer_for("Bo", "No, not this time."),
    }
    known = {record.key for record in twin.records()}
    left = {key: reply for key, reply in script.items() if key not in known}
    take_up(twin, ScriptedModel(left))
    return twin


def long_duel(folder: Path) -> moot.Run:
    """A thousand entries: two hundred turns, and notes from outside."""
    run = staged(folder, 200)
    log = run.open_log()
    for number in range(NOTES):
        text = f"Note {number}. " + "A remark of some length. " * 5
        log.append(Draft("rebuttal", "A reader", "note", text, to=[], data=Outside()))
    log.close()
    return run


def pages_of(runs: Runs) -> list[str]:
    """The address of every page that reads these debates."""
    found = ["/", "/?query=is+it&protocol=duel&status=done", "/compare", "/leaderboard"]
    found += [f"/compare?a={runs['duel'].name}", f"/compare?a={runs['duel'].name}&b={runs['fork'].name}"]
    found += [f"/compare?a={runs['hostile'].name}&b={runs['hostile arena'].name}"]
    contested = f"/runs/{runs['persuasion'].name}/contest"
    found += [contested, f"{contested}?strike=A3"]
    # What somebody else sees of a debate is made of the same parts, so all are asked for only where they are hostile.
    for name, run in runs.items():
        found += pages_about(run, members=None if "hostile" in name else 1)
    return found


def pages_about(run: moot.Run, members: int | None = None) -> list[str]:
    """The address of every page that is about this one alone, but for contesting it; as seen by the first `members` of
    the cast, or by all of them."""
    here = f"/runs/{run.name}"
    cast = getattr(run.entries()[0].data, "cast", [])
    return [here, f"{here}?check=1"] + [f"{here}/as/{member.id}" for member in cast[:members]]


def remembered(path: Path) -> Path:
    """A memory of twenty arenas, in which Ada is better than Bo and Bo than the others."""
    names = ["Ada", "Bo", "Cy", "<b>Dee</b>, whose name is rather long"]
    with open_store(str(path)) as store:
        for number in range(20):
            one, other = sorted((number % 4, (number + 1 + number // 4 % 3) % 4))
            games = [Game(names[one], names[other], 0.0 if number % 5 == 0 else 1.0)]
            outcome = Outcome(f"{number:064x}", "run", "q", "d", "approved", "vote", 0.5, datetime.now(UTC))
            store.record(outcome, games, {"Ada": Cast(0.8, "Ada", number % 4 > 0)})
    return path
