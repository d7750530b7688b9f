"""The form for starting a debate, and how it becomes a config.

A protocol's form is made from its declarations: subject, labelled options, and parts. Other options need a debate file.
Independent of HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import moot
from moot.engine.define.options import Option
from moot.engine.define.protocol import Protocol, Role, with_defaults
from moot.engine.define.registry import Found, Origin, all_protocols, find_offered
from moot.errors import ModelError
from moot.plugins.guard import Broken, guarded
from moot.record.entry import first_data
from moot.record.payloads import Header
from moot.runs.schemas import settable
from moot.service.guests import not_for_guests, requested
from moot.text import clip, one_line
from moot.text.json import parse_json
from moot.text.prose import sentence
from moot.text.yaml import shipped_yaml

SECONDS_FOR_PEOPLE = 86_400
"""How long to wait for a person: a day, if the protocol would wait less."""
LONGEST_VALUE = 100_000
LONGEST_TITLE = 150
LONGEST_SEED = 12
MOST = 1e12
DOCUMENT_FIELDS = ("documents", "pasted")
"""The fields with documents: those that were read from files, as JSON, and one that was typed."""
LIMITS = (
    Option("Number of model calls.", "max_calls", "whole", least=0, label="Calls", hint="number of model calls"),
    Option("Input plus output.", "max_tokens", "whole", least=0, label="Tokens", hint="input plus output"),
    Option("In dollars.", "max_cost", "number", least=0, label="Dollars", hint="where prices are known"),
    Option("From the start.", "max_minutes", "number", least=0, label="Minutes", hint="from the start"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A protocol in the form. `origin` is its source, None for built-in protocols."""

    protocol: Protocol
    origin: Origin | None
    options: tuple[Option, ...]
    parts: tuple[Role, ...]

    @property
    def name(self) -> str:
        return self.protocol.name

    def field_of(self, key: str) -> str:
        """The name of the form's field for a key of the config, or for a part of it; "" if it has none."""
        top, _, rest = key.partition(".")
        if top == self.protocol.subject.key:
            return "topic"
        if top == "roles" and any(part.key == rest for part in self.parts):
            return role_field(self, rest)
        if any(option.name == top for option in self.options):
            return option_field(self, top)
        return top if top in ("protocol", "model", "documents", *(limit.name for limit in LIMITS)) else ""


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    protocol: str
    title: str
    settings: Mapping[str, Any]


@dataclass(slots=True)
class Faults:
    """Errors by field; "" for errors that belong to no field."""

    by_field: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, message: str) -> None:
        self.by_field.setdefault(name, message)

    def place(self, offer: Offer, error: moot.MootError) -> None:
        """Add an error to the field for the key that it is about."""
        key = error.key if isinstance(error, moot.ConfigError | ModelError) else None
        self.add(offer.field_of(key or ""), sentence(str(error)))


def option_field(offer: Offer, name: str) -> str:
    return f"{offer.name}.{name}"


def box_field(name: str) -> str:
    """The hidden field of a checkbox: a form sends nothing for an unchecked box."""
    return f"box:{name}"


def role_field(offer: Offer, part: str) -> str:
    return f"{offer.name}.role.{part}"


def offers() -> list[Offer]:
    """All protocols that people can choose, with their empty forms."""
    return [_offer(found) for found in all_protocols()]


def offer_of(form: Mapping[str, str]) -> Offer | None:
    """The chosen protocol, with the parts that follow from the rest of the form; None if it does not exist."""
    try:
        offer = _offer(find_offered(form.get("protocol", "")))
    except moot.ConfigError:
        return None
    return _with_parts(offer, _own_settings(offer, form, Faults()))


def _offer(found: Found) -> Offer:
    protocol = found.protocol
    kept = not_for_guests(protocol)
    options = [
        option for option in settable(protocol) if option.label and option.name not in {*kept, protocol.subject.key}
    ]
    return _with_parts(Offer(protocol, found.origin, tuple(options), ()), {})


def _with_parts(offer: Offer, settings: Mapping[str, Any]) -> Offer:
    """The offer with the parts for these settings, or the usual ones if the settings are invalid."""
    parts = _parts(offer.protocol, settings)
    return offer if parts is None else replace(offer, parts=parts)


def _parts(protocol: Protocol, settings: Mapping[str, Any]) -> tuple[Role, ...] | None:
    """None if these settings are not a valid config."""
    subject = protocol.subject.key

    def roles() -> tuple[Role, ...]:
        whole = with_defaults(protocol, {subject: "What is debated.", **settings}, from_file=False)
        return tuple(protocol.roles(protocol.config.model_validate(whole)))

    found = guarded(roles)  # errors of one protocol must not break the forms of others
    return None if isinstance(found, Broken) else found


@cache
def examples() -> tuple[Example, ...]:
    """The shipped examples."""
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


def configured(
    form: Mapping[str, str], faults: Faults, besides: Mapping[str, Any] | None = None
) -> moot.RunConfig | None:
    """The config of the form, or None with the errors in `faults`. `besides` are settings that the form has no field
    for. Opens no connection."""
    offer = offer_of(form)
    if offer is None:
        faults.add("protocol", "Choose how to debate.")
        return None
    settings = _settings(offer, form, faults)
    if besides:
        roles = {**besides.get("roles", {}), **settings.get("roles", {})}
        settings = {**besides, **settings, **({"roles": roles} if roles else {})}
    short = {name: value for name, value in form.items() if name not in DOCUMENT_FIELDS}
    if too_long := next((name for name, value in short.items() if len(value) > LONGEST_VALUE), None):
        faults.add(too_long, f"This may have {LONGEST_VALUE:,} characters.")
    if faults.by_field:
        return None
    try:
        return requested(offer.name, settings)
    except moot.MootError as error:
        faults.place(offer, error)
        return None


def limits_in(form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    """The limits in the form."""
    typed = {limit.name: _value(limit, form.get(limit.name, "").strip(), limit.name, faults) for limit in LIMITS}
    return {key: value for key, value in typed.items() if value is not None}


def people_in(entries: Sequence[moot.Entry]) -> list[str]:
    """The names of the agents that are people, in the order of the cast."""
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
    if models := models_in(form.get("model", "")):
        settings["model"] = models
    if (seed := form.get("seed", "")).isdecimal() and seed.isascii() and len(seed) < LONGEST_SEED:
        settings["seed"] = int(seed)
    typed = {part.key: models_in(form.get(role_field(offer, part.key), "")) for part in offer.parts}
    if roles := {key: models for key, models in typed.items() if models}:
        settings["roles"] = roles
    people = any(model.startswith("human/") for models in roles.values() for model in models)
    if people and offer.protocol.keys.patience:
        settings.setdefault(offer.protocol.keys.patience, SECONDS_FOR_PEOPLE)
    if documents := _documents(form, faults):
        settings["documents"] = documents
    return settings | limits_in(form, faults)


def _documents(form: Mapping[str, str], faults: Faults) -> list[Any]:
    """The documents in the form."""
    try:
        found = parse_json(form.get("documents") or "[]")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        faults.add("documents", "The documents could not be read; choose the files again.")
        return []
    if pasted := form.get("pasted", "").strip():
        lead = pasted.partition("\n")[0].strip("# ")
        found.append({"title": clip(one_line(lead), LONGEST_TITLE) or "Document", "text": pasted})
    return found


def _own_settings(offer: Offer, form: Mapping[str, str], faults: Faults) -> dict[str, Any]:
    """The values of the protocol's own fields."""
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
    """The typed value; None if it is empty or invalid."""
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


def models_in(text: str) -> list[str]:
    """The models of a field, the later ones as fallbacks."""
    return [name.strip() for name in text.split(",") if name.strip()]
