"""Reads structured replies. What can mean only one thing is taken, however it is written, and a note says how it was
read. What could mean two things, or cannot be, is a `Fault` with everything that is wrong, in words for the model.

`objects.py` takes slips of JSON, `_Reader` those of form: a value of one kind where another is due. It has a rule for
each.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from moot.engine.play.objects import finished_parts, letters, mended, objects_in, whole, with_tex, without_braces
from moot.engine.play.structured import Fault, Shape, faults_of, needed_parts, resolved
from moot.text import shows
from moot.text.language import ends_sentence
from moot.text.marks import unmarked_value

LONGEST_STEM, SHORTEST_STEM = 3, 4
"""A word of an enumeration may have an ending of so many letters, such as `accepted`, if it is not short."""
MOST_BEYOND = 100
"""Items beyond the bound of a list that are kept, as each is checked by itself."""
STOPPED = "it stops at the limit of its length, before the object ends: say less, and finish the object"
NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_NUMBER = re.compile(r"([-+]?\d{1,15}(?:\.\d{1,10})?)\s?(%|[^\W\d]{1,30}|/\s?(\d{1,9})|(?:out )?of (\d{1,9}))?\.?")
_GROUPED = re.compile(r"\d\.\d{3}(?!\d)")
"""Thousands in some languages, thousandths in others."""
_WORD = re.compile(r"[^\W_]+")
_LISTED = re.compile(r"[,;>\n]")
_CLAUSE = re.compile(r"[.,:;!(\n\[–—]|\s-")


Place = tuple[str | int, ...]
"""The steps from the whole reply to a part of it, by names in JSON."""


@dataclass(frozen=True, slots=True)
class Read(Generic[Shape]):
    """What a reply says. `notes` tell what was not written as asked for, each with its place and how it was read."""

    value: Shape
    notes: tuple[str, ...] = ()


def parse(shape: type[Shape], text: str, *, cut: bool = False) -> Shape | Fault:
    """The object of this shape that a text means."""
    found = read(shape, text, cut=cut)
    return found if isinstance(found, Fault) else found.value


def read(shape: type[Shape], text: str, *, cut: bool = False, last: bool = False) -> Read[Shape] | Fault:
    """The only object of this shape in the text, and how it was read. `cut` says that the text stops at the token
    limit: then an object inside an unfinished one is not an answer. On the `last` try, the parts before the cut are, if
    they are all that is needed."""
    text = with_tex(text)
    try:
        found = _fitting(shape, objects_in(text, cut=cut))
        if isinstance(found, Fault) and (other := objects_in(mended(text), broken_lines=True, cut=cut)):
            found = _fitting(shape, other, ("JSON: mended",))
        if isinstance(found, Fault) and not cut and (bare := without_braces(text, _schema(shape))) is not None:
            said = _fitting(shape, [bare])
            found = found if isinstance(said, Fault) else said
    except (RecursionError, ValueError) as error:
        return Fault(f"the JSON cannot be read: {error}")
    if cut and last and isinstance(found, Fault) and (parts := finished_parts(text)):
        found = _fitting(shape, [parts], ("the reply: as far as it goes",))
    return Fault(STOPPED) if cut and isinstance(found, Fault) else found


def _fitting(shape: type[Shape], values: Sequence[Any], notes: tuple[str, ...] = ()) -> Read[Shape] | Fault:
    """What these values say, if it is one thing."""
    if not values:
        return Fault("there is no complete JSON object in it")
    fits: list[Read[Shape]] = []
    faults: list[str] = []
    for value in values:
        reader = _Reader(_schema(shape))
        said = reader.read(value, reader.root, ())
        try:
            fit = shape.model_validate_json(to_json(said), strict=True, context=reader.notes)
            fit = _with_extra(fit, said, reader.extra)
        except ValidationError as error:
            faults.append(faults_of(error))
            continue
        if fits and fit != fits[0].value:
            return Fault("there is more than one JSON object in it, and they differ; give one")
        fits.append(Read(fit, (*notes, *reader.notes)))
    return fits[0] if fits else Fault(faults[-1])


@lru_cache(maxsize=256)
def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of a shape with all that it says of its parts."""
    return shape.model_json_schema()


def _with_extra(fit: Shape, said: Any, extra: Mapping[Place, Sequence[Any]]) -> Shape:
    """The object with the items beyond the bounds of its lists, each checked in the place of the last one within."""
    for place, items in extra.items():
        given, kept = _at(said, place), _at(fit, place)
        last = given[-1]
        for given[-1] in items:
            found = _at(type(fit).model_validate_json(to_json(said), strict=True), place)
            kept += [one for one in found[-1:] if one not in kept]
        given[-1] = last
    return fit


def _at(value: Any, place: Place) -> Any:
    """A part of a JSON value or of an object."""
    for step in place:
        if isinstance(value, BaseModel):
            fields = type(value).model_fields.items()
            value = getattr(value, next(name for name, one in fields if step in (one.alias, name)))
        else:
            value = value[step]
    return value


@dataclass(slots=True)
class _Reader:
    """Reads a JSON value as its schema means it, and leaves what it cannot read. `extra` has the items that lists of
    texts or objects have beyond their bounds, by place: what is said there is kept. Lists of choices keep their bounds,
    and so do those of a fixed length."""

    root: Mapping[str, Any]
    notes: list[str] = field(default_factory=list)
    extra: dict[Place, list[Any]] = field(default_factory=dict)
    is_beyond: bool = False

    def read(self, value: Any, schema: Mapping[str, Any], place: Place) -> Any:
        schema = resolved(schema, self.root)
        if branches := [resolved(one, self.root) for one in schema.get("anyOf", schema.get("oneOf", ()))]:
            return self._read_either(value, branches, place)
        if "enum" in schema or "const" in schema:
            return self._read_choice(value, schema, place)
        read: Callable[[Any, Mapping[str, Any], Place], Any] | None = {
            "object": self._read_object,
            "array": self._read_list,
            "string": self._read_text,
            "integer": self._read_number,
            "number": self._read_number,
            "boolean": self._read_truth,
        }.get(str(schema.get("type")))
        return value if read is None else read(value, schema, place)

    def _noted(self, place: Place, how: str, value: Any) -> Any:
        self.notes.append(f"{'.'.join(map(str, place)) or 'the reply'}: {how}")
        return value

    def _read_either(self, value: Any, branches: Sequence[Mapping[str, Any]], place: Place) -> Any:
        """A value of one of several kinds: the only one there is, or the only one of its kind."""
        kinds = [one for one in branches if one.get("type") != "null"]
        if value is None or (value in ("", "null", "None") and len(kinds) < len(branches)):
            return None
        fitting = kinds if len(kinds) == 1 else [one for one in kinds if _is_kind(value, one, self.root)]
        return self.read(value, fitting[0], place) if len(fitting) == 1 else value

    def _read_object(self, value: Any, schema: Mapping[str, Any], place: Place) -> Any:
        parts, needed = schema.get("properties", {}), needed_parts(schema)
        if not parts:
            return value
        if isinstance(value, list):
            lists = [name for name in needed if resolved(parts[name], self.root).get("type") == "array"]
            if len(value) == 1 and isinstance(value[0], dict):
                return self._noted(place, "object in a list of one", self.read(value[0], schema, place))
            if len(lists) == len(needed) == 1:
                return self._noted(place, "list for its object", self.read({lists[0]: value}, schema, place))
            return value
        if isinstance(value, str | int | float) and (name := self._means(value, parts, needed)) is not None:
            others = {one: "" for one in needed if one != name}
            return self._noted(place, "value for its object", self.read({**others, name: value}, schema, place))
        if not isinstance(value, dict):
            return value
        names = _names_for(value, parts)
        if value and not names.values() & parts.keys() and len(value) == 1:
            [(name, inner)] = value.items()
            if isinstance(inner, dict):
                return self._noted(place, f"object under {name!a}", self.read(inner, schema, place))
        return self._parts(value, names, schema, place)

    def _means(self, value: Any, parts: Mapping[str, Any], needed: Sequence[str]) -> str | None:
        """The part of an object that a single value is: the only one, or the only choice beside texts."""
        choices = [name for name in needed if resolved(parts[name], self.root).keys() & {"enum", "const"}]
        texts = [name for name in needed if _may_be_empty(resolved(parts[name], self.root))]
        if len(choices) == 1 and len(choices) + len(texts) == len(needed):
            words = resolved(parts[choices[0]], self.root).get("enum", ())
            return choices[0] if value in words else None
        return needed[0] if len(needed) == 1 else None

    def _parts(
        self, value: Mapping[str, Any], names: Mapping[str, str], schema: Mapping[str, Any], place: Place
    ) -> Any:
        parts, needed = schema["properties"], needed_parts(schema)
        found: dict[str, Any] = {}
        for key, one in value.items():
            name = names[key]
            if name not in parts:
                found[name] = one
                continue
            at = (*place, name)
            if name != key:
                self._noted(at, f"name {key!a}", None)
            if one is None and name not in needed and not _may_be_null(parts[name], self.root):
                self._noted(at, "null for nothing", None)
                continue
            found[name] = self.read(one, parts[name], at)
        for name in needed:
            if name not in found and _may_be_null(parts.get(name, {}), self.root):
                found[name] = self._noted((*place, name), "missing", None)
        return found

    def _read_list(self, value: Any, schema: Mapping[str, Any], place: Place) -> Any:
        items, most, least = schema.get("items", {}), schema.get("maxItems", math.inf), schema.get("minItems", 0)
        if not isinstance(value, list):
            if choices := self._choices_in(value, resolved(items, self.root)):
                return self._noted(place, "text for a list", choices)
            value = self._noted(place, "item for a list of one", [value])
        said = [one for one in value if one is not None and not (isinstance(one, str) and not shows(one))]
        if len(said) < len(value):
            value = self._noted(place, "items that say nothing", said)
        if not most and value:
            return self._noted(place, "items where none can be", [])
        contents, is_too_long = _has_contents(resolved(items, self.root)), len(value) > most > least
        within = value[:most] if contents and is_too_long and not self.is_beyond else value
        found = [self.read(one, items, (*place, number)) for number, one in enumerate(within)]
        if beyond := value[len(within) :][:MOST_BEYOND]:
            self.is_beyond = True
            self.extra[place] = [self.read(one, items, (*place, number)) for number, one in enumerate(beyond, most)]
            self.is_beyond = False
            left = len(value) - len(within) - len(beyond)
            self._noted(place, f"{len(value)} items, {most} were asked for{f', {left} left out' if left else ''}", None)
        if is_too_long and not contents and all(isinstance(one, str) for one in found):
            return self._noted(place, "the same choice again", list(dict.fromkeys(found)))
        return found

    def _choices_in(self, value: Any, schema: Mapping[str, Any]) -> list[Any]:
        """The choices that a text lists, as in `A > B`; none if a part of it is something else, or stands twice."""
        words = schema.get("enum", ())
        parts = _LISTED.split(value.strip()) if isinstance(value, str) and words else []
        found = [_Reader(self.root).read(one.strip(), schema, ()) for one in parts]
        return found if len(set(found)) == len(found) > 1 and set(found) <= set(words) else []

    def _read_text(self, value: Any, _: Mapping[str, Any], place: Place) -> Any:
        if value is None or isinstance(value, str):
            return value
        kind = "list" if isinstance(value, list) else "object" if isinstance(value, dict) else "value"
        return self._noted(place, f"{kind} for a text", _joined(value))

    def _read_choice(self, value: Any, schema: Mapping[str, Any], place: Place) -> Any:
        words = schema.get("enum", [schema["const"]] if "const" in schema else [])
        if isinstance(value, list) and len(value) == 1:
            return self._noted(place, "word in a list of one", self._read_choice(value[0], schema, place))
        if not isinstance(value, str) or value in words:
            numbers = [word for word in words if type(word) in (int, float)]
            return self._read_number(value, {"type": "number"}, place) if numbers and value not in words else value
        if not (texts := [word for word in words if isinstance(word, str)]):
            return self._read_number(value, {"type": "number"}, place)
        if len(same := [word for word in texts if unmarked_value(word) == value]) == 1:  # as it was sent
            return same[0]
        clause = _CLAUSE.split(value, maxsplit=1)[0]
        named = {letters(one) for one in _WORD.findall(value)}
        for means in (value, clause):
            for fits in (_is_same, _begins, _ends_otherwise):
                if found := [word for word in texts if fits(word, means)]:
                    beside = named - {letters(one) for one in _WORD.findall(found[0])}
                    if len(found) > 1 or any(letters(word) in beside for word in texts if word not in found):
                        return value
                    return self._noted(place, f"{value!a:.60} for a word", found[0])
        return value

    def _read_number(self, value: Any, schema: Mapping[str, Any], place: Place) -> Any:
        is_whole, most = schema.get("type") == "integer", schema.get("maximum")
        if isinstance(value, list) and len(value) == 1:
            return self._noted(place, "number in a list of one", self._read_number(value[0], schema, place))
        if isinstance(value, str):
            named = f"{place[-1]} {schema.get('description', '')}"
            if (number := _number_in(value, schema, named)) is None:
                return value
            return self._noted(place, f"{value!a:.60} for a number", whole(number))
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        if is_whole and most == 100 and isinstance(value, float) and 0 <= value <= 1:
            return self._noted(place, "share for a percentage", round(100 * value))
        if not is_whole and most == 1 and 10 < value <= 100:
            return self._noted(place, "percentage for a share", value / 100)
        return whole(value)

    def _read_truth(self, value: Any, _: Mapping[str, Any], place: Place) -> Any:
        word = _Reader(self.root).read(value, {"enum": [*TRUTHS]}, place)
        if isinstance(word, str) and word in TRUTHS:
            return self._noted(place, f"{value!a:.60} for a truth", TRUTHS[word])
        return value


def _is_kind(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Whether a value is of the kind of this schema: of its type, and with the words that tell its objects apart."""
    kind = schema.get("type", "string" if "enum" in schema or "const" in schema else None)
    if not isinstance(value, dict):
        return kind in _KINDS.get(type(value), ())
    parts = schema.get("properties", {})
    words = {name: part for name, one in parts.items() if (part := resolved(one, root)).keys() & {"enum", "const"}}
    return kind == "object" and all(
        value[name] in part.get("enum", [part.get("const")]) for name, part in words.items() if name in value
    )


_KINDS: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
}


def _has_contents(schema: Mapping[str, Any]) -> bool:
    """Whether it is of texts in words of one's own, or of objects."""
    return schema.get("type") in ("string", "object") and not schema.keys() & {"enum", "const"}


def _may_be_empty(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and not schema.keys() & {"enum", "const", "minLength"}


def _may_be_null(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    return any(resolved(one, root).get("type") == "null" for one in resolved(schema, root).get("anyOf", ()))


def _joined(value: Any) -> str:
    """All that a value says, as one text."""
    if not isinstance(value, list | dict):
        return "" if value is None else value if isinstance(value, str) else json.dumps(whole(value))
    said = ""
    for one in value.values() if isinstance(value, dict) else value:
        if text := _joined(one).strip():
            said += f"{'' if not said else ' ' if ends_sentence(said) else '; '}{text}"
    return said


def _is_same(word: str, means: str) -> bool:
    return letters(word) == letters(means)


def _begins(word: str, means: str) -> bool:
    said = letters(means)
    return len(said) >= SHORTEST_STEM and letters(word).startswith(said)


def _ends_otherwise(word: str, means: str) -> bool:
    """An ending is part of the last word: `accept not` has none."""
    stem, said = letters(word), letters(means)
    fits = len(stem) >= SHORTEST_STEM and said.startswith(stem) and len(said) - len(stem) <= LONGEST_STEM
    return fits and len(_WORD.findall(word)) == len(_WORD.findall(means))


def _number_in(text: str, schema: Mapping[str, Any], named: str) -> float | None:
    """The number that a text is: in digits or as a word, of the scale (`7/10`), in per cent, or with a unit that its
    field names. A number with another unit means another number."""
    said = text.strip().casefold()
    if said in (words := NUMBER_WORDS.split()):
        return words.index(said)
    if (found := _NUMBER.fullmatch(said)) is None or _GROUPED.search(said):
        return None
    number, unit, most = float(found[1]), found[2] or "", schema.get("maximum")
    if scale := found[3] or found[4]:
        return number if float(scale) == most else None
    if unit in ("%", "percent"):
        return number / 100 if most == 1 else number if most == 100 else None
    if not unit or (most is not None and unit in ("point", "points")):
        return number
    return number if letters(unit).rstrip("s") in letters(named) else None


def _names_for(given: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, str]:
    """The names of the shape for given keys with a different spelling, if there is only one candidate. ValueError if
    that is given itself, and says something else."""
    if given.keys() <= parts.keys():
        return dict(zip(given, given, strict=True))
    unknown = Counter(letters(key) for key in given if key not in parts)
    for part in given.keys() & parts.keys():
        if any(given[key] != given[part] for key in given if key not in parts and letters(key) == letters(part)):
            raise ValueError(f"the key {part!r} stands twice")
    missing: dict[str, list[str]] = {}
    for part in parts.keys() - given.keys():
        missing.setdefault(letters(part), []).append(part)
    same = {letters: parts[0] for letters, parts in missing.items() if len(parts) == 1 and unknown[letters] == 1}
    return {key: key if key in parts else same.get(letters(key), key) for key in given}
