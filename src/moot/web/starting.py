"""What can be set when a debate is started from the page, and how it becomes a config.

Five protocols and the few options of each that matter; whoever wants the others writes a debate file. Knows nothing of
HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

import moot
from moot.elections import RULES
from moot.requesting import requested

SECONDS_FOR_PEOPLE = 86_400
"""How long a person who holds a role is waited for: a day, where the protocol would lose patience sooner."""
LONGEST_VALUE = 100_000


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a protocol, as a form has it. An empty value leaves it to the protocol."""

    key: str
    label: str
    kind: Literal["whole", "number", "line", "choice", "tick"]
    usual: str = ""
    hint: str = ""
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """A part that a model or a person can be given; `key` is its name or its part in the script."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Way:
    """A protocol as the page offers it: what it is, what comes out, and what to say first."""

    name: str
    what: str
    gives: str
    subject: str
    roles: tuple[Role, ...]
    choices: tuple[Choice, ...]
    topic_key: str = "topic"


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    protocol: str
    title: str
    settings: Mapping[str, Any]


@dataclass(slots=True)
class Faults:
    """What is wrong, by field; under "" what belongs to none."""

    by_field: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, message: str) -> None:
        self.by_field.setdefault(name, message)


LIMITS = (
    Choice("max_calls", "Calls", "whole", hint="at most so many replies", least=0),
    Choice("max_tokens", "Tokens", "whole", hint="in and out together", least=0),
    Choice("max_cost", "Dollars", "number", hint="where prices are known", least=0),
    Choice("max_minutes", "Minutes", "number", hint="from the start", least=0),
)

WAYS = (
    Way(
        "duel",
        "Two debaters argue it out before a judge, who scores every turn.",
        "a winner, a score by turn, a verdict",
        "The question",
        (Role("A", "Opens, for"), Role("B", "Answers, against"), Role("judge", "Judge")),
        (
            Choice("turns", "Turns", "whole", "6", "both debaters together", 2, 200),
            Choice("premise", "Premise", "line", hint="the claim they take sides on; made from the question otherwise"),
            Choice("no_judge", "No judge", "tick", hint="then there are no scores and no verdict"),
        ),
    ),
    Way(
        "chaired",
        "A chair holds two sides to rules, and a verifier checks every source they cite.",
        "an outcome whose sources were checked, six documents",
        "The motion",
        tuple(
            Role(one, one.capitalize())
            for one in ("chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor")
        ),
        (
            Choice("min_rounds", "Fewest rounds", "whole", "1", "", 1, 100),
            Choice("max_rounds", "Most rounds", "whole", "3", "", 1, 100),
            Choice("time_budget_minutes", "Minutes for the debate", "number", "60", "the chair closes it then", 0),
        ),
    ),
    Way(
        "panel",
        "Five personas with weights take positions on an idea, and vote.",
        "a decision a pipeline can gate on: label, agreement, votes",
        "The idea",
        tuple(Role(one, one) for one in ("Innovator", "Pragmatist", "Critic", "Advocate", "Validator")),
        (
            Choice(
                "kind",
                "Kind of decision",
                "choice",
                "selection",
                values=("selection", "difficulty", "improvement", "feasibility"),
            ),
            Choice("max_rounds", "Most rounds", "whole", "3", "", 1, 20),
            Choice("max_revisions", "Most revisions", "whole", "2", "of an idea that is sent back", 0, 20),
        ),
        topic_key="idea",
    ),
    Way(
        "persuasion",
        "A proponent and an opponent play a formal dialogue by rules that code keeps.",
        "an argument map that grows with every move, computed scores",
        "The proposition",
        (Role("proponent", "Proponent"), Role("opponent", "Opponent"), Role("moderator", "Moderator")),
        (
            Choice("rounds", "Rounds", "whole", "2", "", 1, 50),
            Choice("perspective", "Perspective", "line", hint="from whose viewpoint the moderator weighs it"),
        ),
    ),
    Way(
        "arena",
        "Several agents propose blind, criticise each other, revise and vote; a judge reads it all.",
        "a decision with its dissent, the ballots, every version",
        "The task",
        (
            *(Role(one, one) for one in ("Ines", "Tomas", "Mei", "Noor", "Lars", "Ayo", "Vera")),
            Role("judge", "Judge"),
        ),
        (
            Choice("agents", "Agents", "whole", "3", "roles beyond that number stay empty", 2, 7),
            Choice(
                "vote",
                "Rule for the vote",
                "choice",
                "majority",
                values=tuple(RULES.names()),
            ),
            Choice("critique", "Who criticises whom", "choice", "all", values=("all", "ring", "random")),
            Choice("revision_rounds", "Rounds of revision", "whole", "3", "", 1, 20),
        ),
    ),
)


def way_of(name: str) -> Way | None:
    return next((way for way in WAYS if way.name == name), None)


@cache
def examples() -> tuple[Example, ...]:
    """The debates to start from that come with moot."""
    content: dict[str, Any] = yaml.safe_load((files("moot.web") / "ready.yaml").read_text("utf-8"))
    return tuple(Example(name, **one) for name, one in content.items())


def filled_in(example: Example) -> dict[str, str]:
    """The form with an example in it."""
    way = way_of(example.protocol)
    form = {"protocol": example.protocol}
    for key, value in example.settings.items():
        form["topic" if way and key == way.topic_key else f"{example.protocol}.{key}"] = str(value)
    return form


def configured(form: Mapping[str, str], faults: Faults) -> moot.RunConfig | None:
    """The config that the form asks for, or None with what is wrong in `faults`. Opens no connection."""
    way = way_of(form.get("protocol", ""))
    if way is None:
        faults.add("protocol", "Choose how to debate.")
        return None
    settings = _settings(way, form, faults)
    if too_long := next((name for name, value in form.items() if len(value) > LONGEST_VALUE), None):
        faults.add(too_long, f"This may have {LONGEST_VALUE:,} characters.")
    if faults.by_field:
        return None
    try:
        return requested(way.name, settings)
    except moot.MootError as error:
        place(way, error, faults)
        return None


def place(way: Way, error: moot.MootError, faults: Faults) -> None:
    """Put an error beside the field for the key that it is about."""
    key = error.key if isinstance(error, moot.ConfigError | moot.ModelError) else None
    faults.add(field_of(way, key or ""), _sentence(str(error)))


def field_of(way: Way, key: str) -> str:
    """The name of the field for a key of the config, or for what is within it; "" where the form has none."""
    top, _, rest = key.partition(".")
    if top == way.topic_key:
        return "topic"
    if top == "roles" and any(role.key == rest for role in way.roles):
        return f"{way.name}.role.{rest}"
    if any(choice.key == top for choice in way.choices):
        return f"{way.name}.{top}"
    return top if top in ("protocol", "model", *(limit.key for limit in LIMITS)) else ""


def limits_in(form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    """The limits that were typed."""
    typed = {one.key: _value(one, form.get(one.key, "").strip(), one.key, faults) for one in LIMITS}
    return {key: value for key, value in typed.items() if value is not None}


def people_in(entries: Sequence[moot.Entry]) -> list[str]:
    """The names of the agents in whose place somebody sits, in the order of the cast."""
    cast: list[Any] = next((found for entry in entries if (found := getattr(entry.data, "cast", None))), [])
    return [member.name for member in cast if any(model.startswith("human/") for model in member.models)]


def _settings(way: Way, form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if topic := form.get("topic", "").strip():
        settings[way.topic_key] = topic
    elif way.topic_key == "idea":
        faults.add("topic", "Say what the panel is to decide about.")
    if models := _models(form.get("model", "")):
        settings["model"] = models
    count = int(form["arena.agents"]) if form.get("arena.agents", "").isdecimal() else 3
    roles = {
        role.key: models
        for place, role in enumerate(way.roles)
        if (models := _models(form.get(f"{way.name}.role.{role.key}", "")))
        and (way.name != "arena" or place < count or role.key == "judge")
    }
    if roles:
        settings["roles"] = roles
    for choice in way.choices:
        name = f"{way.name}.{choice.key}"
        if (value := _value(choice, form.get(name, "").strip(), name, faults)) is not None:
            settings[choice.key] = value
    settings |= limits_in(form, faults)
    if any(model.startswith("human/") for models in roles.values() for model in models):
        settings |= {"panel": {"timeout_per_round": SECONDS_FOR_PEOPLE}, "arena": {"patience": SECONDS_FOR_PEOPLE}}.get(
            way.name, {}
        )
    return settings


def _value(choice: Choice, text: str, name: str, faults: Faults) -> Any:
    """What was typed, as the value that is wanted; None when nothing was, or when it will not do."""
    if not text:
        return None
    if choice.kind == "tick":
        return True
    if choice.kind == "choice" and text not in choice.values:
        faults.add(name, f"{choice.label}: one of {', '.join(choice.values)}.")
        return None
    if choice.kind in ("line", "choice"):
        return text
    try:
        number = int(text) if choice.kind == "whole" else float(text)
    except ValueError:
        faults.add(name, f"{choice.label}: a {'whole ' * (choice.kind == 'whole')}number, not “{text[:40]}”.")
        return None
    if not (choice.least or 0) <= number <= (choice.most if choice.most is not None else 1e12):
        bounds = (
            f"{choice.least or 0:g} or more" if choice.most is None else f"{choice.least or 0:g} to {choice.most:g}"
        )
        faults.add(name, f"{choice.label}: {bounds}, not {text[:40]}.")
        return None
    return number


def _models(text: str) -> list[str]:
    """The models of a field, the later ones as fallbacks."""
    return [one.strip() for one in text.split(",") if one.strip()]


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
