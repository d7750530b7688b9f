"""A whole evaluation: a dataset, several methods, one folder; taken up where it stopped when it is run again."""

import asyncio
import json
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moot.engine.config import Options, RunConfig, load_options
from moot.engine.plan import plan
from moot.engine.shipped import DEFAULT
from moot.errors import ConfigError, LimitReached, ModelError
from moot.models.base import Model
from moot.models.pool import pool
from moot.plugins.extras import require
from moot.record.files import write_whole
from moot.studies.evaluate.dataset import Dataset, Item, read_dataset
from moot.studies.evaluate.debates import Contender, contender, refusal, speakers
from moot.studies.evaluate.matching import MATCHES, Match
from moot.studies.evaluate.questions import BASELINES, Baseline, Grade, Question, Row, Setup, put
from moot.studies.evaluate.staging import Stage, open_budget
from moot.studies.evaluate.summary import Evaluation, summarise
from moot.studies.runner import free_folder, locked, together
from moot.text.json import parse_json

FROZEN = "evaluation.json"


@dataclass(frozen=True, slots=True)
class EvaluationProgress:
    """How many questions are done and, but at the start, which one is now and how each method did on it."""

    folder: str
    done: int
    total: int
    question: str | None
    grades: dict[str, Grade]


async def evaluate(  # noqa: PLR0913 (each is one of the command's options)
    dataset: Path | str,
    protocols: Sequence[str] = (DEFAULT,),
    *,
    baselines: Sequence[str] = BASELINES,
    match: Match | None = None,
    tolerance: float | None = None,
    limit: int | None = None,
    voters: int = 3,
    budget: int | None = None,
    at_once: int = 4,
    seed: int | None = None,
    out: Path | str | None = None,
    models: Mapping[str, Model] | None = None,
    follow: Callable[[EvaluationProgress], None] | None = None,
    **settings: Any,
) -> Evaluation:
    """Put the questions of a JSONL file to debates and to baselines, and say whether debating paid.

    `protocols` are names or debate files. `budget` is the most tokens that a debate may use on one question, `voters`
    how many answer in the baseline `vote`, `at_once` how many questions are under way at a time. `out` is the folder of
    the evaluation: with one that exists, it is taken up, and nothing on record is paid for again. `settings` are
    options such as model, roles and limits; limits hold for the evaluation as a whole.
    """
    require("studies")  # for what it all comes to, before anything is paid
    if match is not None and match not in MATCHES:
        raise ConfigError(f"`match` should be one of {', '.join(MATCHES)}")
    read = await asyncio.to_thread(read_dataset, Path(dataset), match, tolerance)
    folder = Path(out) if out is not None else free_folder("evaluations", read.name)
    frozen = _frozen(folder)
    seed = seed if seed is not None else frozen.get("seed", secrets.randbelow(2**31))
    options = load_options(**settings)
    setup = await _setup(protocols, baselines, read.items, voters, budget, seed, settings)
    with _held(folder, _spec(setup, read, options, match, tolerance)):
        stage = Stage(options, open_budget(options, folder), models or {})
        items = read.items[:limit]
        try:
            rows = await _put_all(stage, setup, items, folder, at_once, follow)
        except (ConfigError, ModelError):
            # Nothing was said and nothing spent: leave no empty folder behind.
            if not frozen and not any(path.stat().st_size for path in folder.glob("runs/**/calls.jsonl")):
                shutil.rmtree(folder)
            raise
        refused = stage.budget.refused
        found = summarise(setup, read, len(items), rows, str(folder), str(refused) if refused else None)
        await asyncio.to_thread(_write_documents, folder, found)
    return found


async def _put_all(
    stage: Stage,
    setup: Setup,
    items: Sequence[Item],
    folder: Path,
    at_once: int,
    follow: Callable[[EvaluationProgress], None] | None,
) -> list[Row]:
    """The rows of all questions that could be put to every method, in the order of the dataset."""
    done = 0
    if follow is not None:
        follow(EvaluationProgress(str(folder), 0, len(items), None, {}))

    async def one(item: Item) -> list[Row]:
        nonlocal done
        if stage.budget.refused is not None:
            return []
        try:
            rows = await put(Question(stage, setup, item, folder / "runs" / f"{item.line:05d}"))
        except LimitReached:
            return []
        done += 1
        if follow is not None:
            follow(EvaluationProgress(str(folder), done, len(items), item.id, {row.method: row.grade for row in rows}))
        return rows

    async with pool():
        put_to_all = await together(*(one(item) for item in items), at_most=at_once)
    return [row for rows in put_to_all for row in rows]


async def _setup(
    protocols: Sequence[str],
    baselines: Sequence[str],
    items: Sequence[Item],
    voters: int,
    budget: int | None,
    seed: int,
    settings: Mapping[str, Any],
) -> Setup:
    """What is compared, checked against every question and rehearsed before anything is spent."""
    contenders = [contender(name) for name in protocols]
    if not contenders:
        raise ConfigError("there is no protocol to evaluate")
    wanted: list[Baseline] = [name for name in BASELINES if name in baselines]
    if unknown := [name for name in baselines if name not in BASELINES]:
        raise ConfigError(f"there is no baseline {unknown[0]!r}; there is: {', '.join(BASELINES)}")
    names = [one.name for one in contenders]
    if twice := next((name for name in names if names.count(name) > 1 or name in BASELINES), None):
        raise ConfigError(f"two of the methods would be called {twice!r}")
    if voters < 1:
        raise ConfigError("`voters` should be at least 1")
    for one in contenders:
        for item in items:
            if why := refusal(one, item):
                raise ConfigError(f"{one.name} cannot be asked the question in line {item.line}: {why}")
    configs = {one.name: _sample_config(one, items[0], settings) for one in contenders}
    used = {name: (await plan(config)).models for name, config in configs.items()}
    voices = {name: speakers(config) for name, config in configs.items()}
    foreign = {name: _foreign(models.values(), next(iter(voices.values())), wanted) for name, models in used.items()}
    return Setup(contenders, wanted, voices, voters, budget, seed, settings, foreign)


def _foreign(
    used: Iterable[Sequence[str]], voices: Sequence[Sequence[str]], baselines: Sequence[Baseline]
) -> list[str]:
    """Which of the models of a debate, its judge's among them, some baseline does not speak through."""
    heard = voices if list(baselines) == ["vote"] else voices[:1]
    known = {model for models in heard for model in models}
    return sorted({model for models in used for model in models} - known) if baselines else []


def _sample_config(one: Contender, item: Item, settings: Mapping[str, Any]) -> RunConfig:
    """The config of a debate on a question, with the first two answers there could be."""
    return one.config(item, 0, (item.candidates or ("one", "another"))[:2], settings)


def _spec(
    setup: Setup, dataset: Dataset, options: Options, match: Match | None, tolerance: float | None
) -> dict[str, Any]:
    """What has to be the same when an evaluation is taken up again."""
    return {
        "dataset": dataset.name,
        "sha256": dataset.sha256,
        "match": match,
        "tolerance": tolerance,
        "protocols": {one.name: {"protocol": one.protocol, **one.given} for one in setup.contenders},
        "baselines": list(setup.baselines),
        "voters": setup.voters,
        "budget": setup.budget,
        "seed": setup.seed,
        "model": options.model,
        "roles": options.roles,
        "voices": dict(setup.voices),
    }


def _frozen(folder: Path) -> dict[str, Any]:
    """What the evaluation in that folder was set up with; nothing where there is none."""
    try:
        content = parse_json((folder / FROZEN).read_bytes())
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise ConfigError(f"{folder} is not empty, and not an evaluation; choose another folder") from None
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder / FROZEN} cannot be read: {error}") from error
    return content if isinstance(content, dict) else {}


@contextmanager
def _held(folder: Path, spec: Mapping[str, Any]) -> Iterator[None]:
    """The folder, made or found to hold this very evaluation, and kept from every other process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"the folder {folder} cannot be made: {error.strerror}") from error
    with locked(folder, f"another process is running the evaluation in {folder}"):
        _freeze(folder, json.loads(json.dumps(spec, ensure_ascii=False, default=str)))
        yield


def _freeze(folder: Path, spec: Mapping[str, Any]) -> None:
    """Write down what this evaluation is; ConfigError when the folder holds another one."""
    frozen = _frozen(folder)  # again: only who holds the folder knows what is in it
    if not frozen:
        write_whole(folder / FROZEN, (json.dumps(spec, ensure_ascii=False, indent=2) + "\n").encode())
        return
    for key in frozen.keys() | spec.keys():
        if frozen.get(key) != spec.get(key):
            was, now = (json.dumps(one.get(key), ensure_ascii=False)[:200] for one in (frozen, spec))
            raise ConfigError(
                f"{folder} holds another evaluation: its `{key}` is {was}, not {now}; choose another --out"
            )


def _write_documents(folder: Path, found: Evaluation) -> None:
    from moot.studies.evaluate.report import documents

    for name, text in documents(found).items():
        write_whole(folder / name, text.encode(), sync=False)
