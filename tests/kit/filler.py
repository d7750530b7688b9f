"""A model that answers every protocol with filler of a stated length, by the call's key and the reply's schema alone:
what it says does not depend on the words of a prompt, so that two versions of the prompts can be compared. Only a limit
of words that is told for a reply in plain text is kept."""

import random
import re
from collections.abc import Mapping
from typing import Any

import moot
from moot.engine.play.structured import THOUGHT, resolved
from moot.testing import Scripted, ScriptedModel

SPOKEN = 120
"""Words of a reply in plain text that is told no lower limit."""
FIELD = 20
"""Words of a text in an object, where `WORDS` has no other number."""
WORDS = {"proposal": 120, "content": 60, "statement": 80, "rationale": 150, "conclusion": 220, "idea": 80, "topic": 12}
LONG = {"post": 900, "post-again": 900, "summary": 300}
"""Words of a document in plain text, by the last part of the call's key."""
SIGNS = (
    *("bridge", "river", "garden", "market", "window", "letter", "kitchen", "ladder", "corner", "station", "paper"),
    *("basket", "harbour", "engine", "meadow", "bottle", "carpet", "orchard", "pocket", "mirror", "candle", "village"),
    *("teacher", "drawer", "blanket", "feather", "pencil", "shoulder", "button", "thunder"),
)
LINKS = ("near", "beside", "under", "above", "behind", "without", "through", "across", "around", "within", "beyond")
CHOICES = {
    "handling": "mended",
    "breach": "none",
    "ruling": "stands",
    "same": "no",
    "supports": "supports",
    "goes_on": True,
    "outcome": "draw",
    "overall": "Good",
    "reporter_neutral": True,
    "changed_mind": False,
    "argues": True,
}
"""What goes on longest, where a choice ends something."""
EMPTY = (
    "unsourced",
    "new_points",
    "words",
    "give_up",
    "pairs",
    "questions",
    "rests_on",
    "moved_by",
    "concessions_that_mattered",
)
"""Fields that stay empty: with something in them the script would go another way."""
CITING = " So say #2 and #3."
SOURCE = "https://pack.example/trams"
CLAIM = "Trams carry four thousand people an hour in one lane [1]."


def prose(place: str, words: int) -> str:
    """Sentences of twelve words about nothing; other ones at every place."""
    lot = random.Random(place)
    sentences = []
    for count in [12] * (words // 12) + [words % 12] * bool(words % 12):
        said = [lot.choice(LINKS if number % 2 else SIGNS) for number in range(count)]
        sentences.append(f"{' '.join(said).capitalize()}.")
    return " ".join(sentences)


BRIEF = 12
"""Words of a text in a brief reply, where nothing counts them."""
COUNTED = ("conclusion", *LONG)


def reply(request: moot.Request) -> Scripted:
    last = request.key.rpartition("/")[2]
    if request.schema is None:
        return prose(request.key, LONG.get(last) or min(SPOKEN, _limit(request)))
    made = _filled(request.schema, request.schema, request.key, last)
    return _citing(made, request.key) if request.key.endswith("/turn") else made


def _limit(request: moot.Request) -> int:
    """The words that the last message allows, where it says so: models by and large keep to that."""
    told = re.search(r"at most (\d+) words", request.messages[-1].content)
    return int(told[1]) if told else SPOKEN


def long_reply(request: moot.Request) -> Scripted:
    """The same with texts half as long again as the prompt allows, or of sixty words where it names no limit. Where it
    was sent back, the ordinary reply."""
    said: Scripted = reply(request)
    if request.attempt > 1 or request.key.endswith(("/declined", "-again")):
        return said
    told = re.findall(r"(\d+) words", "\n".join(one.content for one in request.messages))
    longer: Scripted = _lengthened(said, request.key, 3 * max(map(int, told), default=40) // 2)
    return longer


def _lengthened(said: Any, place: str, words: int) -> Any:
    if isinstance(said, dict):
        return {key: one if key == THOUGHT else _lengthened(one, f"{place}.{key}", words) for key, one in said.items()}
    if isinstance(said, list):
        return [_lengthened(one, f"{place}.{number}", words) for number, one in enumerate(said)]
    long = isinstance(said, str) and said.count(" ") >= 5
    return f"{said} {prose(place, words)}" if long else said


def brief_reply(request: moot.Request) -> Scripted:
    """The same in few words, for requests that are read."""
    said: Scripted = _briefly(reply(request), request.key.rpartition("/")[2])
    return said


def _briefly(said: Any, name: str) -> Any:
    if isinstance(said, dict):
        return {key: _briefly(one, key) for key, one in said.items()}
    if isinstance(said, list):
        return [_briefly(one, name) for one in said]
    if not isinstance(said, str) or name in COUNTED or CLAIM in said:
        return said.partition(f"{CLAIM} ")[1] or said if isinstance(said, str) else said
    return said if said.count(" ") < BRIEF else f"{said.partition('.')[0]}."


def filler_model(*, brief: bool = False, long: bool = False, **settings: Any) -> ScriptedModel:
    answer = long_reply if long else brief_reply if brief else reply
    return ScriptedModel(answer, name="scripted/filler", **settings)


def _filled(schema: Mapping[str, Any], root: Mapping[str, Any], place: str, name: str) -> Any:
    schema = resolved(schema, root)
    lot = random.Random(place)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _chosen(schema["enum"], name, lot)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            kinds = [resolved(one, root) for one in schema[union]]
            nothing = [one for one in kinds if one.get("type") == "null"]
            return None if nothing else _filled(lot.choice(kinds), root, place, name)
    match schema.get("type"):
        case "object":
            parts = schema.get("properties", {})
            return {key: _filled(part, root, f"{place}.{key}", key) for key, part in parts.items()}
        case "array":
            few = 0 if name in EMPTY else max(schema.get("minItems", 0), min(2, schema.get("maxItems", 2)))
            made = [_filled(schema.get("items", {}), root, f"{place}.{number}", name) for number in range(few)]
            for one, number in zip(made, _each_of(schema, root), strict=False):
                one["finding"] = number
            return made if all(isinstance(one, dict) for one in made) else list(dict.fromkeys(made))
        case "boolean":
            return CHOICES.get(name, False)
        case "integer" | "number" as kind:
            middle = (schema.get("minimum", 0) + schema.get("maximum", 10)) / 2
            return int(middle) if kind == "integer" else middle
    words = FIELD if ".premises." in place else WORDS.get(name, FIELD)
    return "" if name in EMPTY else prose(place, words) + CITING * (name == "conclusion")


def _each_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    """The numbers of the findings, if a reply has to rule on each."""
    parts = resolved(schema.get("items", {}), root).get("properties", {})
    numbers: list[str] = parts.get("finding", {}).get("enum", [])
    return numbers


def _chosen(options: list[Any], name: str, lot: random.Random) -> Any:
    if name in CHOICES and CHOICES[name] in options:
        return CHOICES[name]
    if {"yes", "no"} <= set(options):
        return "yes"
    if name in ("winner", "follows"):  # an answer that follows the other side would be sent back
        return options[0]
    lasting = [one for one in options if not str(one).startswith(("concede", "retract"))]
    return lot.choice(lasting or options)


def _citing(made: Any, key: str) -> Scripted:
    """A turn of a chaired debate that keeps its rules: of the type that its phase wants, with a claim and a source."""
    at = key.partition("@")[2]
    kind = {"o": "opening_statement", "c": "closing_statement"}.get(at[:1], "new_point")
    made |= {"type": kind, "sources": [{"url": SOURCE, "title": "Trams"}], "content": f"{CLAIM} {made['content']}"}
    return dict(made)
