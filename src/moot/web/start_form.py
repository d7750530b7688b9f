"""What can be set when a debate is started from the page, and how it becomes a config.

The form of a protocol is made from what it declares: its subject, its options that have a label, and its parts.
Whoever wants the other options writes a debate file. Knows nothing of HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import moot
from moot.engine.options import Option
from moot.engine.protocol import Part, Protocol
from moot.engine.registry import Found, Origin, all_protocols, find_offered
from moot.errors import ModelError
from moot.record.entry import first_data
from moot.record.payloads import Header
from moot.runs.schemas import settable
from moot.service.guests import not_for_guests, requested
from moot.text.prose import sentence
from moot.text.yaml import shipped_yaml

SECONDS_FOR_PEOPLE = 86_400
"""How long a person who holds a role is waited for: a day, where the protocol would lose patience sooner."""
LONGEST_VALUE = 100_000
MOST = 1e12
LIMITS = (
    Option("At most so many replies.", "max_calls", "whole", least=0, label="Calls", hint="at most so many replies"),
    Option("In and out together.", "max_tokens", "whole", least=0, label="Tokens", hint="in and out together"),
    Option("In dollars.", "max_cost", "number", least=0, label="Dollars", hint="where prices are known"),
    Option("From the start.", "max_minutes", "number", least=0, label="Minutes", hint="from the start"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A protocol as the page offers it. `origin` is where it comes from, None for those that come with moot."""

    protocol: Protocol
    origin: Origin | None
    options: tuple[Option, ...]
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        return self.protocol.name

    def field_of(self, key: str) -> str:
        """The name of the form's field for a key of the config, or for what is within it; "" where it has none."""
        top, _, rest = key.partition(".")
        if top == self.protocol.subject.key:
            return "topic"
        if top == "roles" and any(part.key == rest for part in self.parts):
            return role_field(self, rest)
        if any(option.name == top for option in self.options):
            return option_field(self, top)
        return top if top in ("protocol", "model", *(limit.name for limit in LIMITS)) else ""


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

    def place(self, offer: Offer, error: moot.MootError) -> None:
        """Put an error beside the field for the key that it is about."""
        key = error.key if isinstance(error, moot.ConfigError | ModelError) else None
        self.add(offer.field_of(key or ""), sentence(str(error)))


def option_field(offer: Offer, name: str) -> str:
    return f"{offer.name}.{name}"


def box_field(name: str) -> str:
    """The hidden field that goes with a checkbox, of which a form sends nothing where it is not checked."""
    return f"box:{name}"


def role_field(offer: Offer, part: str) -> str:
    return f"{offer.name}.role.{part}"


def offers() -> list[Offer]:
    """Every protocol that people can choose, with its form as it is before anything is typed."""
    return [_offer(found) for found in all_protocols()]


def offer_of(form: Mapping[str, str]) -> Offer | None:
    """The protocol that a form has chosen, with the parts that the rest of the form makes; None where there is no such
    protocol."""
    try:
        offer = _offer(find_offered(form.get("protocol", "")))
    except moot.ConfigError:
        return None
    return _with_parts(offer, _own_settings(offer, form, Faults()))


def _offer(found: Found) -> Offer:
    protocol = found.protocol
    kept = not_for_guests(protocol)
    options = [one for one in settable(protocol) if one.label and one.name not in {*kept, protocol.subject.key}]
    return _with_parts(Offer(protocol, found.origin, tuple(options), ()), {})


def _with_parts(offer: Offer, settings: Mapping[str, Any]) -> Offer:
    """The offer with the parts that these settings make, or by usual where they make no config."""
    parts = _parts(offer.protocol, settings)
    return offer if parts is None else replace(offer, parts=parts)


def _parts(protocol: Protocol, settings: Mapping[str, Any]) -> tuple[Part, ...] | None:
    """None where these settings make no config."""
    subject = protocol.subject.key
    try:
        whole = protocol.complete({subject: "What is debated.", **settings}, from_file=False)
        return tuple(protocol.parts(protocol.config.model_validate(whole)))
    except Exception:
        # Also what a plug-in's own code gets wrong: the form of another protocol does not hang on it.
        return None


@cache
def examples() -> tuple[Example, ...]:
    """The debates to start from that come with moot."""
    return tuple(Example(name, **one) for name, one in shipped_yaml("moot.web", "ready.yaml").items())


def filled_in(example: Example) -> dict[str, str]:
    """The form with an example in it."""
    form = {"protocol": example.protocol}
    subject = find_offered(example.protocol).protocol.subject.key
    for key, value in example.settings.items():
        name = "topic" if key == subject else f"{example.protocol}.{key}"
        if isinstance(value, bool):
            form |= {box_field(name): "yes", **({name: "yes"} if value else {})}
        else:
            form[name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return form


def configured(form: Mapping[str, str], faults: Faults) -> moot.RunConfig | None:
    """The config that the form asks for, or None with what is wrong in `faults`. Opens no connection."""
    offer = offer_of(form)
    if offer is None:
        faults.add("protocol", "Choose how to debate.")
        return None
    settings = _settings(offer, form, faults)
    if too_long := next((name for name, value in form.items() if len(value) > LONGEST_VALUE), None):
        faults.add(too_long, f"This may have {LONGEST_VALUE:,} characters.")
    if faults.by_field:
        return None
    try:
        return requested(offer.name, settings)
    except moot.MootError as error:
        faults.place(offer, error)
        return None


def limits_in(form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    """The limits that were typed."""
    typed = {one.name: _value(one, form.get(one.name, "").strip(), one.name, faults) for one in LIMITS}
    return {key: value for key, value in typed.items() if value is not None}


def people_in(entries: Sequence[moot.Entry]) -> list[str]:
    """The names of the agents in whose place somebody sits, in the order of the cast."""
    header = first_data(entries, Header)
    cast = header.cast if header else []
    return [member.name for member in cast if any(model.startswith("human/") for model in member.models)]


def _settings(offer: Offer, form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    settings = _own_settings(offer, form, faults)
    subject = offer.protocol.subject
    if topic := form.get("topic", "").strip():
        settings[subject.key] = topic
    elif subject.needed:
        faults.add("topic", f"{subject.label} is missing.")
    if models := _models(form.get("model", "")):
        settings["model"] = models
    typed = {part.key: _models(form.get(role_field(offer, part.key), "")) for part in offer.parts}
    if roles := {key: models for key, models in typed.items() if models}:
        settings["roles"] = roles
    people = any(model.startswith("human/") for models in roles.values() for model in models)
    if people and offer.protocol.patience:
        settings.setdefault(offer.protocol.patience, SECONDS_FOR_PEOPLE)
    return settings | limits_in(form, faults)


def _own_settings(offer: Offer, form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    """What was typed into the protocol's own fields."""
    settings: dict[str, Any] = {}
    for option in offer.options:
        name = option_field(offer, option.name)
        text = form.get(name, "").strip()
        if option.kind == "switch" and option.default and not text and box_field(name) in form:
            settings[option.name] = False
        elif option.many:
            typed = [one.strip() for one in text.split(",") if one.strip()]
            values = [_value(option, one, name, faults) for one in typed]
            settings |= {option.name: values} if values else {}
        elif (value := _value(option, text, name, faults)) is not None:
            settings[option.name] = value
    return settings


def _value(option: Option, text: str, name: str, faults: Faults) -> Any:
    """What was typed, as the value that is wanted; None when nothing was, or when it will not do."""
    if not text:
        return None
    if option.kind == "switch":
        return True
    if option.kind == "choice" and text not in option.choices:
        faults.add(name, f"{option.label}: one of {', '.join(option.choices)}.")
        return None
    if option.kind in ("text", "choice"):
        return text
    try:
        number = int(text) if option.kind == "whole" else float(text)
    except ValueError:
        faults.add(name, f"{option.label}: a {'whole ' * (option.kind == 'whole')}number, not “{text[:40]}”.")
        return None
    least, most = option.least, option.most
    if not (-MOST if least is None else least) <= number <= (MOST if most is None else most):
        faults.add(name, f"{option.label}: {_bounds(least, most)}, not {text[:40]}.")
        return None
    return number


def _bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    return f"{least:g} or more" if least is not None else f"{MOST if most is None else most:g} or less"


def _models(text: str) -> list[str]:
    """The models of a field, the later ones as fallbacks."""
    return [one.strip() for one in text.split(",") if one.strip()]
