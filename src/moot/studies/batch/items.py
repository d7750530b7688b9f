"""The debates of a batch, read from a YAML grid or a JSONL file. Each has its own config and a stable id.

The id of a debate is a hash of everything that determines it, so the same file always gives the same ids.
"""

import hashlib
import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from moot.engine.define.config import Options, RunConfig, checked
from moot.engine.define.layers import configure
from moot.engine.define.registry import get_protocol
from moot.engine.define.sampling import merge_sampling
from moot.engine.define.study import PLAIN, Answer, Content, Study
from moot.engine.sources.context import read_documents
from moot.errors import ConfigError
from moot.plugins.features import needed
from moot.studies.batch.design import Design, versions
from moot.studies.limits import TotalLimits
from moot.text import clip
from moot.text.json import parse_json
from moot.text.yaml import MAX_FILE_BYTES, read_yaml

if TYPE_CHECKING:
    from moot.studies.tournament import Tournament

MOST_ITEMS = 100_000
LONGEST_LABEL = 80
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
Label = str | int | float | bool | None
NO_LIMITS = TotalLimits.model_validate({})


class Item(BaseModel):
    """One debate of a batch. `config` is the complete debate file, without a folder for the run; `factors` are what the
    grid varies. Items that are versions of one debate share a `group`, and `design` says which version each one is.
    `answer` is the known right answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")
    config: dict[str, Any]
    factors: dict[str, Label] = {}
    answer: Answer | None = None
    group: str
    design: dict[str, str] = {}

    def configured(self, out: Path) -> RunConfig:
        """The config to run it with, with its run below `out`. It is independent of the environment and config
        files."""
        content = dict(self.config)
        protocol = get_protocol(str(content.pop("protocol", "")))
        options = {key: content.pop(key) for key in list(content) if key in Options.model_fields}
        where = f"debate {self.id}"
        return RunConfig(
            protocol, checked(Options, options | {"out": str(out)}, where), checked(protocol.config, content, where)
        )


@dataclass(frozen=True, slots=True)
class BatchFile:
    """The content of a batch file: its debates, what they may use together, and the tournament that they are. With
    `carry` they are held one after the other, each with what the earlier ones accepted."""

    name: str
    items: list[Item]
    budget: TotalLimits
    tournament: dict[str, Any] | None = None
    carry: bool = False


class _Head(BaseModel):
    """The keys of a batch file besides those of its debates."""

    budget: TotalLimits | None = None
    carry: StrictBool = False
    lines: StrictStr | None = None
    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] | None = None
    repeat: Annotated[StrictInt, Field(ge=1, le=MOST_ITEMS)] = 1


@dataclass(frozen=True, slots=True)
class _Debate:
    """One debate as given in the file: its keys, and its position."""

    settings: dict[str, Any]
    place: str
    factors: dict[str, Label] = field(default_factory=dict)
    id: str | None = None
    answer: Any = None


def read_batch(file: Path | str, design: Design | None = None, **settings: Any) -> BatchFile:
    """Read the debates of a batch file. `settings` are keys of a debate file that override the file for all debates."""
    path = Path(file)
    if path.suffix != ".jsonl" and "tournament" in (content := read_yaml(path)):
        if any(astuple(design or Design())):
            raise ConfigError(f"{path}: a tournament swaps sides by itself; leave the designs out", "tournament")
        return _tournament(path, content, settings)
    given = {key: value for key, value in settings.items() if value is not None}
    versions_of_each = 2 ** sum(astuple(design or Design()))
    if path.suffix == ".jsonl":
        head, debates = _Head(), _from_lines(path, {})
    else:
        head = _head(content, path)
        debates = _grid(path, content, head, versions_of_each)
    items: dict[str, tuple[Item, str]] = {}
    for debate in debates:
        for item in _items(debate, path, given, design or Design()):
            # Each debate has a folder, and some file systems ignore case.
            name = item.id.casefold()
            if name in items:
                raise ConfigError(
                    f"{debate.place}: this is the same debate, or has the same `id`, as {items[name][1]}; "
                    "to hold it several times, give it other seeds or `repeat`"
                )
            if len(items) == MOST_ITEMS:
                raise ConfigError(f"{path}: there are more than {MOST_ITEMS:,} debates")
            items[name] = (item, debate.place)
    if not items:
        raise ConfigError(f"{path} holds no debate")
    return BatchFile(path.name, [item for item, _ in items.values()], head.budget or NO_LIMITS, carry=head.carry)


def _tournament(path: Path, content: dict[str, Any], settings: Mapping[str, Any]) -> BatchFile:
    design = read_tournament(_mapping(content.pop("tournament"), path, "tournament"), str(path))
    own = {key: content.pop(key) for key in ("budget",) if key in content}
    budget = checked(_Head, own, str(path)).budget or NO_LIMITS
    given = {key: value for key, value in settings.items() if value is not None}
    base = _over(read_documents(content, beside=path), given)
    try:
        items = list(design.items(base))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}", error.key) from None
    if len(items) > MOST_ITEMS:
        raise ConfigError(f"{path}: there are {len(items):,} debates; a batch has {MOST_ITEMS:,} at most")
    return BatchFile(path.name, items, budget, design.model_dump(mode="json"))


def read_tournament(content: Mapping[str, Any], where: str) -> "Tournament":
    """The tournament of a batch; ConfigError if the feature for that is not installed."""
    design: Tournament = needed("tournament", "a batch with the key `tournament`", "tournament")(content, where)
    return design


def _head(content: dict[str, Any], path: Path) -> _Head:
    """Take the keys of the batch itself out of the content of its file."""
    head = checked(_Head, {key: content.pop(key) for key in list(content) if key in _Head.model_fields}, str(path))
    if head.lines is not None and {"grid", "repeat"} & head.model_fields_set:
        raise ConfigError(f"{path}: `lines` should be the name of a file, and takes no `grid` or `repeat`", "lines")
    if head.carry and (get_protocol(str(content.get("protocol"))).get(Study) or PLAIN).carry is None:
        raise ConfigError(f"{path}: the protocol {content.get('protocol')} has nothing to carry over", "carry")
    return head


def _grid(path: Path, content: dict[str, Any], head: _Head, versions_of_each: int) -> Iterator[_Debate]:
    if head.lines is not None:
        return _from_lines(path.parent / head.lines, content)
    grid, repeat = head.grid or {}, head.repeat
    number = math.prod(map(len, grid.values())) * repeat * versions_of_each
    if number > MOST_ITEMS:
        raise ConfigError(f"{path}: there are {number:,} debates; a batch has {MOST_ITEMS:,} at most")
    return _cells(path, content, grid, repeat)


def _cells(path: Path, base: Mapping[str, Any], grid: Mapping[str, list[Any]], repeat: int) -> Iterator[_Debate]:
    """All combinations of the grid's values, each `repeat` times with consecutive seeds."""
    labels = {key: _labels(values) for key, values in grid.items()}
    for places in itertools.product(*(range(len(values)) for values in grid.values())):
        settings, factors = dict(base), {}
        for key, chosen in zip(grid, places, strict=True):
            _set(settings, key.split("."), grid[key][chosen], f"{path}: `grid.{key}`")
            factors[key] = labels[key][chosen]
        answer = settings.pop("answer", None)
        cell = ", ".join(f"{key} = {value}" for key, value in factors.items())
        place = f"{path} ({cell})" if cell else str(path)
        seed = _seed(settings, place)
        for number in range(repeat):
            numbered = {"repeat": number + 1} if repeat > 1 else {}
            yield _Debate({**settings, "seed": seed + number}, place, factors | numbered, answer=answer)


def _from_lines(path: Path, base: Mapping[str, Any]) -> Iterator[_Debate]:
    """A debate for each line, with the keys of `base` that the line does not set."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _from_line(line, f"{path}, line {number}", base)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _from_line(line: bytes, place: str, base: Mapping[str, Any]) -> _Debate:
    if len(line) > MAX_FILE_BYTES:
        raise ConfigError(f"{place}: longer than the {MAX_FILE_BYTES:,} bytes a debate file may have")
    try:
        settings = parse_json(line)
    except ValueError as error:
        raise ConfigError(f"{place}: not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise ConfigError(f"{place}: should be a debate file as one JSON object")
    settings = {**base, **settings}
    own_id, answer = settings.pop("id", None), settings.pop("answer", None)
    if own_id is not None and not (isinstance(own_id, str) and ID.fullmatch(own_id)):
        raise ConfigError(f"{place}: `id` should be up to 64 letters, digits, dots, hyphens and underscores", "id")
    return _Debate({**settings, "seed": _seed(settings, place)}, place, id=own_id, answer=answer)


def _items(debate: _Debate, file: Path, given: Mapping[str, Any], design: Design) -> Iterator[Item]:
    """The versions of one debate required by the design, as items."""
    try:
        content = content_of(_over(read_documents(dict(debate.settings), beside=file), given))
        answer = _answer(content, debate.answer)
        made = [(one, short_hash([one.content, one.answer])) for one in versions(content, answer, design)]
    except ConfigError as error:
        raise ConfigError(f"{debate.place}: {error}", error.key) from None
    group = debate.id or made[0][1]
    for version, found in made:
        mark = "".join(f"-{name}-{value}" for name, value in version.marks.items() if value != "given")
        yield Item(
            id=f"{debate.id}{mark}" if debate.id else found,
            config=version.content,
            factors=debate.factors,
            answer=version.answer,
            group=group,
            design=version.marks,
        )


def _over(settings: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the file, overridden by those given for all debates; roles are overridden one by one, as
    everywhere."""
    whole, roles, sampling = {**settings, **given}, settings.get("roles") or {}, settings.get("sampling") or {}
    if "roles" in given and isinstance(roles, Mapping):
        whole["roles"] = {**roles, **given["roles"]}
    if "sampling" in given and isinstance(sampling, Mapping):
        whole["sampling"] = merge_sampling(sampling, given["sampling"])
    return whole


def spread(items: Sequence[Item]) -> list[Item]:
    """The order in which a batch runs its debates. If it stops at any point, the finished debates are a fair sample:
    the first repeat of every cell, then the second, and so on. Within a repeat they are sorted by a hash, which amounts
    to a shuffle. The hash includes the seed, so another seed gives another order and the same file the same order.
    Versions of one debate stay together."""

    def place(item: Item) -> tuple[int, str]:
        repeat = item.factors.get("repeat")
        return repeat if isinstance(repeat, int) else 1, short_hash([item.config.get("seed"), item.group])

    return sorted(items, key=place)


def content_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The complete debate file for these settings, with the defaults of the protocol and of the user."""
    own = {key: value for key, value in settings.items() if key not in ("moot", "out")}
    protocol = own.pop("protocol", None)
    if not isinstance(protocol, str):
        raise ConfigError("`protocol` is missing, or no name such as duel", "protocol")
    if "file" in own:
        raise ConfigError("unknown key `file`", "file")
    # Without a subject, a protocol would use its bundled example.
    subjects = (get_protocol(protocol).get(Study) or PLAIN).subjects
    if subjects and not any(own.get(key) for key in subjects):
        raise ConfigError(f"`{subjects[0]}` is missing", subjects[0], missing=True)
    config = configure(protocol, **own)
    _refuse_people(config.debate.model_dump(mode="json"), config.options)
    return {
        "protocol": protocol,
        **config.debate.model_dump(mode="json", by_alias=True, exclude_none=True),
        **config.options.model_dump(mode="json", exclude_none=True, exclude={"out"}),
    }


def _refuse_people(debate: Any, options: Options) -> None:
    """Reject people in the cast: a batch runs its debates concurrently and unattended."""
    settings = json.dumps([debate, options.model, options.roles])
    if '"human/' in settings or '"type": "human"' in settings:
        raise ConfigError("a person cannot take part in a batch")


def _answer(content: Content, given: Any) -> Answer | None:
    """The known right answer: whether the claim holds, or what should be decided."""
    study = get_protocol(content["protocol"]).get(Study) or PLAIN
    if given is not None and not isinstance(given, study.answers):
        what = "a text" if study.answers is str else "true or false: whether the claim that is debated holds"
        raise ConfigError(f"`answer` should be {what}, for the protocol {content['protocol']}", "answer")
    return study.check_answer(content, given) if study.check_answer is not None else given


def _seed(settings: Mapping[str, Any], place: str) -> int:
    seed = settings.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ConfigError(f"{place}: `seed` should be a whole number", "seed")
    return seed


def _set(settings: dict[str, Any], path: Sequence[str], value: Any, where: str) -> None:
    """Set a key or nested key without changing values that other debates share."""
    first, *rest = path
    if not rest:
        settings[first] = value
        return
    inner = settings.get(first, {})
    if not isinstance(inner, dict):
        raise ConfigError(f"{where}: `{first}` is no mapping, so nothing can be set within it", first)
    settings[first] = dict(inner)
    _set(settings[first], rest, value, where)


def label_of(value: Any) -> Label:
    """A short label for a value of the grid: the value itself, the name of a persona, or the beginning of the value."""
    if isinstance(value, str | int | float | bool) or value is None:
        return clip(value, LONGEST_LABEL) if isinstance(value, str) else value
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return label_of(value["name"])
    if isinstance(value, list) and value:
        return label_of(", ".join(str(label_of(part)) for part in value))
    return label_of(json.dumps(value, ensure_ascii=False))


def _labels(values: Sequence[Any]) -> list[Label]:
    """A label for each value of a factor. Different values with equal labels are numbered."""
    found = [label_of(value) for value in values]
    texts = [str(label) for label in found]
    times = Counter(texts)
    return [
        label if times[text] == 1 else f"{text} ({number})"
        for number, (label, text) in enumerate(zip(found, texts, strict=True), 1)
    ]


def _mapping(value: Any, path: Path, key: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(part, str) for part in value):
        raise ConfigError(f"{path}: `{key}` should be a mapping of keys to values", key)
    return value


def short_hash(value: Any) -> str:
    whole = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()[:12]
