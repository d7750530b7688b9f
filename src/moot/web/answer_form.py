"""A question to a person as form fields, and the submitted values as the JSON that the debate expects.

Made from the JSON Schema of the answer. Field names are positions in it (`f.1.0`), since some keys are names of agents,
which can be anything.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["text", "line", "whole", "number", "choice", "choices", "tick", "lines", "object", "objects", "fixed"]
MOST_OBJECTS = 5
"""The number of objects of a list that a form has fields for."""
SHORT = 200
"""The maximum length of a single-line text."""
WHOLE_ANSWER = "text"
"""The name of the only field of an answer without a shape."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field. For `objects`, `parts` are the fields of each of the `room` places."""

    name: str
    key: str
    label: str
    kind: Kind
    needed: bool = True
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    longest: int | None = None
    value: Any = None
    room: int = 0
    parts: tuple["Field", ...] = field(default=())

    @property
    def hint(self) -> str:
        """A description of valid input."""
        if self.kind in ("whole", "number"):
            bounds = "" if self.least is None or self.most is None else f" from {self.least:g} to {self.most:g}"
            return f"a {'whole ' if self.kind == 'whole' else ''}number{bounds}"
        how = {"lines": "one on each line", "objects": "leave empty what is not needed"}
        optional = "" if self.needed else "may be left empty"
        longest = f"at most {self.longest:,} characters" if self.longest and self.kind == "text" else ""
        return ", ".join(part for part in (how.get(self.kind, ""), longest, optional) if part)


class Unfit(Exception):
    """The input is invalid; the reasons by field."""

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__("; ".join(faults.values()))
        self.faults = faults


def fields_of(schema: Mapping[str, Any] | None) -> list[Field]:
    """The fields for an answer of that shape; one text field if it has none."""
    if schema is None:
        return [Field(WHOLE_ANSWER, "", "Your answer", "text")]
    return list(_parts(schema, schema, "f"))


def answer_from(schema: Mapping[str, Any] | None, form: Mapping[str, str]) -> str:
    """The answer in the form that the debate expects; Unfit if the input is invalid."""
    if schema is None:
        text = form.get(WHOLE_ANSWER, "")
        if not text.strip():
            raise Unfit({WHOLE_ANSWER: "Say something."})
        return text
    faults: dict[str, str] = {}
    answer = _object(fields_of(schema), form, _Place(faults))
    if faults:
        raise Unfit(faults)
    return json.dumps(answer, ensure_ascii=False)


def _parts(schema: Mapping[str, Any], root: Mapping[str, Any], path: str) -> tuple[Field, ...]:
    needed = schema.get("required", ())
    properties: Mapping[str, Any] = schema.get("properties", {})
    return tuple(
        _field(key, part, root, f"{path}.{place}", needed=key in needed)
        for place, (key, part) in enumerate(properties.items())
    )


def _field(key: str, part: Mapping[str, Any], root: Mapping[str, Any], name: str, *, needed: bool) -> Field:
    part, needed = _resolved(part, root, needed=needed)
    label = key.replace("_", " ")
    label = label[:1].upper() + label[1:]
    if "const" in part:
        return Field(name, key, label, "fixed", value=part["const"])
    if "enum" in part:
        return Field(name, key, label, "choice", needed, tuple(str(choice) for choice in part["enum"]))
    match part.get("type"):
        case "object":
            return Field(name, key, label, "object", needed, parts=_parts(part, root, name))
        case "array":
            return _list(key, part, root, name, label, needed)
        case "boolean":
            return Field(name, key, label, "tick", needed)
        case "integer" | "number" as kind:
            least, most = part.get("minimum"), part.get("maximum")
            return Field(name, key, label, "whole" if kind == "integer" else "number", needed, least=least, most=most)
        case _:
            longest = part.get("maxLength")
            short = longest is not None and longest <= SHORT
            return Field(name, key, label, "line" if short else "text", needed, longest=longest)


def _list(key: str, part: Mapping[str, Any], root: Mapping[str, Any], name: str, label: str, needed: bool) -> Field:
    item, _ = _resolved(part.get("items", {}), root, needed=True)
    if "enum" in item:
        return Field(name, key, label, "choices", needed, tuple(str(choice) for choice in item["enum"]))
    if item.get("type") == "object":
        room = max(1, min(part.get("maxItems", MOST_OBJECTS), MOST_OBJECTS))
        return Field(name, key, label, "objects", needed, room=room, parts=_parts(item, root, ""))
    return Field(name, key, label, "lines", needed)


def _resolved(part: Mapping[str, Any], root: Mapping[str, Any], *, needed: bool) -> tuple[Mapping[str, Any], bool]:
    """The schema at a place; a nullable value is optional."""
    while "$ref" in part or "anyOf" in part or "allOf" in part:
        if "$ref" in part:
            part = root["$defs"][str(part["$ref"]).rsplit("/", 1)[1]]
            continue
        options = part.get("anyOf") or part["allOf"]
        real = [option for option in options if option.get("type") != "null"]
        needed = needed and len(real) == len(options)
        part = real[0]
    return part, needed


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in an answer: the prefix of its field names, and `of` says in words what it is a part of. Errors go into
    `faults`."""

    faults: dict[str, str]
    path: str = ""
    of: str = ""

    def blame(self, one: Field, why: str) -> None:
        self.faults[f"{self.path}{one.name}"] = f"{self.of}{one.label}{why}"

    def inside(self, path: str, of: str) -> "_Place":
        return _Place(self.faults, path, f"{self.of}{of}, ")


def _object(parts: Sequence[Field], form: Mapping[str, str], place: _Place) -> Any:
    answer = {}
    for part in parts:
        value = _typed(part, form, place)
        if value is not None or part.needed:
            answer[part.key] = value
    return answer


def _typed(one: Field, form: Mapping[str, str], place: _Place) -> Any:
    name = f"{place.path}{one.name}"
    text = form.get(name, "").strip()
    match one.kind:
        case "fixed":
            return one.value
        case "object":
            return _object(one.parts, form, place.inside(place.path, one.label))
        case "objects":
            filled = [number for number in range(one.room) if _filled(form, f"{name}.{number}")]
            inside = [place.inside(f"{name}.{number}", f"{one.label} {number + 1}") for number in filled]
            return [_object(one.parts, form, there) for there in inside]
        case "choices":
            return [choice for number, choice in enumerate(one.choices) if form.get(f"{name}.{number}")]
        case "lines":
            return [line.strip() for line in text.splitlines() if line.strip()]
        case "tick":
            return bool(text)
    if not text:
        if one.needed:
            place.blame(one, " is missing.")
        return None
    return _value(one, text, place)


def _value(one: Field, text: str, place: _Place) -> Any:
    if one.kind == "choice" and text not in one.choices:
        place.blame(one, f": one of {', '.join(one.choices)}.")
    elif one.longest is not None and len(text) > one.longest:
        place.blame(one, f" may have {one.longest:,} characters; these are {len(text):,}.")
    elif one.kind in ("whole", "number"):
        try:
            number = int(text) if one.kind == "whole" else float(text)
        except ValueError:
            number = float("nan")
        least, most = one.least, one.most
        if not (-1e15 if least is None else least) <= number <= (1e15 if most is None else most):
            place.blame(one, f": {one.hint}.")
        return number
    return text


def _filled(form: Mapping[str, str], prefix: str) -> bool:
    """Whether any field of an object in a list is filled in."""
    return any(value.strip() for name, value in form.items() if name.startswith(f"{prefix}."))
