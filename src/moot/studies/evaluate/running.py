"""A whole evaluation: a dataset, several methods, one folder. Running it again resumes it where it stopped."""

import asyncio
import json
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from moot.engine.define.config import Options
from moot.engine.define.layers import load_options
from moot.engine.define.shipped import DEFAULT
from moot.engine.staging.finding import EVALUATION
from moot.engine.staging.plan import plan
from moot.errors import ConfigError, LimitReached, ModelError
from moot.models.base import Model
from moot.models.pool import pool
from moot.plugins.extras import require
from moot.record.files import locked, make_folder, read_file, write_whole
from moot.studies.evaluate.dataset import Dataset, Item, Reading, by_lot, read_datasets
from moot.studies.evaluate.debates import contender, speakers
from moot.studies.evaluate.matching import MATCHES
from moot.studies.evaluate.questions import BASELINES, MATCHED, Baseline, Grade, Question, Row, Setup, put
from moot.studies.evaluate.sampling import sample
from moot.studies.evaluate.scoring import Checked, Grading, check, grading_of, read_checked, regrade
from moot.studies.evaluate.staging import Stage, open_budget
from moot.studies.evaluate.summary import Evaluation, summarise
from moot.studies.limits import given_over, raised, store_limits, stored_limits
from moot.studies.runner import check_study, free_folder, read_object, together
from moot.studies.template import template_of
from moot.text.json import parse_json
from moot.text.prose import listed

FROZEN, SUMMARY, ROWS = EVALUATION, "summary.json", "rows.jsonl"


@dataclass(frozen=True, slots=True)
class EvaluationProgress:
    """The number of questions done and, except at the start, the latest question with the grade of each method."""

    folder: str
    done: int
    total: int
    question: str | None
    grades: dict[str, Grade]


Follow = Callable[[EvaluationProgress], None]


@dataclass(frozen=True, slots=True)
class Design(Reading):
    """How an evaluation is made, and its datasets read. `epochs` is how often each is asked.
    `scorer` grades answers, `checked` is a sample to check the scorer with. `budget` is the number of tokens that a
    debate may use on one question, `voters` the number of answers in the baseline `vote`, `at_once` the number of
    questions in progress at a time."""

    baselines: Sequence[str] = BASELINES[:3]
    epochs: int = 1
    scorer: str | None = None
    checked: Path | str | None = None
    voters: int = 3
    budget: int | None = None
    at_once: int = 4
    seed: int | None = None

    def check(self) -> None:
        if self.match is not None and self.match not in MATCHES:
            raise ConfigError(f"`match` should be one of {', '.join(MATCHES)}")
        if unknown := [name for name in self.baselines if name not in BASELINES]:
            raise ConfigError(f"there is no baseline {unknown[0]!r}; there is: {', '.join(BASELINES)}")
        for name in ("epochs", "voters"):
            if getattr(self, name) < 1:
                raise ConfigError(f"`{name}` should be at least 1", name)


async def evaluate(
    dataset: Path | str | Sequence[Path | str],
    protocols: Sequence[str] = (DEFAULT,),
    design: Design | None = None,
    *,
    out: Path | str | None = None,
    models: Mapping[str, Model] | None = None,
    follow: Follow | None = None,
    **settings: Any,
) -> Evaluation:
    """Put the questions of one or more files to debates and to baselines, and report whether debating paid.

    `protocols` are names or debate files. `out` is the folder of the evaluation: if it exists, the evaluation is
    resumed, and replies on record are not paid again. `settings` are options such as model and roles; limits are for
    all of it.
    """
    require("studies")  # for the statistics; checked before anything is paid
    wanted = design or Design()
    wanted.check()
    paths = [Path(contender) for contender in ([dataset] if isinstance(dataset, Path | str) else dataset)]
    folder = Path(out) if out is not None else free_folder("evaluations", "-".join(path.stem for path in paths)[:60])
    seed = int(_frozen(folder).get("seed", secrets.randbelow(2**31))) if wanted.seed is None else wanted.seed
    wanted = replace(wanted, seed=seed, open=wanted.scorer is not None)
    read = await asyncio.to_thread(read_datasets, paths, wanted)
    options = load_options(**settings)
    setup = await _setup(protocols, wanted, read.items, seed, settings)
    spec = _spec(setup, read, options, wanted)
    grade = grading_of(wanted.scorer) if wanted.scorer else None
    sample = await asyncio.to_thread(read_checked, wanted.checked, wanted.scorer, read.items)
    plan_ = Plan(folder, wanted, grade, sample)
    with _held(folder, spec):
        limits = given_over(stored_limits(folder), asdict(options.limits))
        store_limits(folder, limits)
        options = options.model_copy(update=asdict(limits))
        stage = Stage(options, open_budget(options, folder), models or {})
        await plan_.try_scorer(stage, setup, read.items[0])
        found = _with_earlier_reports(folder, await plan_.run(stage, setup, read, follow))
        return await asyncio.to_thread(_write_documents, folder, found)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the questions are asked, and who grades the answers."""

    folder: Path
    design: Design
    grade: Grading | None
    checked: Checked

    async def try_scorer(self, stage: Stage, setup: Setup, item: Item) -> None:
        """Have a function grade one key before anything is paid; ConfigError if it fails."""
        if self.grade is not None and not (self.design.scorer or "").startswith("model:"):
            await self.grade(Question(stage, setup, item, _place(self.folder, item, 1)), item.answers[0])

    async def run(self, stage: Stage, setup: Setup, read: Dataset, follow: Follow | None) -> Evaluation:
        questions = [
            Question(stage, setup, item, _place(self.folder, item, epoch), epoch)
            for epoch in range(1, self.design.epochs + 1)
            for item in by_lot(read.items, setup.seed)
        ]
        scored = None
        try:
            rows = _in_order(await _put_all(questions, self.folder, self.design.at_once, follow), read.items)
            if self.grade is not None:
                rows = await regrade(rows, questions, self.grade, self.design.at_once)
                checked = await check(self.checked, questions, self.grade) if self.checked else {}
                scored = {"scorer": self.design.scorer, **checked}
        except (ConfigError, ModelError):
            await asyncio.to_thread(_remove_unspent, self.folder)
            raise
        refused = stage.budget.refused
        found = summarise(setup, read, rows, str(self.folder), str(refused) if refused else None, scored)
        more = raised(refused.limit, refused.allowed) if refused else None
        return found.model_copy(update={"raised": more})


def _in_order(rows: Sequence[Row], items: Sequence[Item]) -> list[Row]:
    """The rows in the order of the dataset."""
    places = {item.id: place for place, item in enumerate(items)}
    return sorted(rows, key=lambda row: (row.epoch, places[row.question]))


def _remove_unspent(folder: Path) -> None:
    """Remove the folder if no run has a call on record."""
    if not any(path.stat().st_size for path in folder.glob("runs/**/calls.jsonl")):
        shutil.rmtree(folder.resolve())


def _place(folder: Path, item: Item, epoch: int) -> Path:
    return folder / "runs" / (item.place if epoch == 1 else f"{item.place}-{epoch}")


async def _put_all(
    questions: Sequence[Question],
    folder: Path,
    at_once: int,
    follow: Follow | None,
) -> list[Row]:
    """Put all questions to every debate, single answer and vote, then to the baselines that have as many tokens, when
    it is known what the debates used. If a limit is reached, only the questions before the first unfinished one count:
    the less there is to debate, the sooner a question is finished, so the others that are finished are easy ones."""
    done, stage = 0, questions[0].stage
    if follow is not None:
        follow(EvaluationProgress(str(folder), 0, len(questions), None, {}))

    async def one(question: Question) -> list[Row]:
        nonlocal done
        if stage.budget.refused is not None:
            return []
        try:
            rows = await put(question)
        except LimitReached:
            return []
        done += 1
        if follow is not None:
            grades = {row.method: row.grade for row in rows}
            follow(EvaluationProgress(str(folder), done, len(questions), question.item.id, grades))
        return rows

    async with pool():
        put_to_all = await together(*(one(question) for question in questions), at_most=at_once)
        counted = list(takewhile(bool, put_to_all))
        rows = [row for rows in counted for row in rows]
        answered = questions[: len(counted)]
        for baseline in MATCHED:
            if baseline in questions[0].setup.baselines and stage.budget.refused is None:
                with suppress(LimitReached):  # with a partial budget it is not a baseline
                    rows += await sample(baseline, answered, rows, at_once)
    return rows


async def _setup(
    protocols: Sequence[str],
    design: Design,
    items: Sequence[Item],
    seed: int,
    settings: Mapping[str, Any],
) -> Setup:
    """What is compared, checked against every question and rehearsed before anything is spent."""
    contenders = [contender(name) for name in protocols]
    if not contenders:
        raise ConfigError("there is no protocol to evaluate")
    wanted: list[Baseline] = [name for name in BASELINES if name in design.baselines]
    names = [contender.name for contender in contenders]
    if twice := next((name for name in names if names.count(name) > 1 or name in BASELINES), None):
        raise ConfigError(f"two of the methods would be called {twice!r}")
    for one in contenders:
        for item in items:
            if why := one.asking.refuses(item):
                raise ConfigError(f"{one.name} cannot be asked the question in line {item.line}: {why}")
    configs = {contender.name: contender.sample(items[0], settings) for contender in contenders}
    used = {name: (await plan(config)).models for name, config in configs.items()}
    voices = {name: speakers(config) for name, config in configs.items()}
    foreign = {name: _foreign(models.values(), next(iter(voices.values())), wanted) for name, models in used.items()}
    rounds = {one.name: max(1, one.asking.rounds(configs[one.name].debate)) for one in contenders}
    return Setup(contenders, wanted, voices, design.voters, design.budget, seed, settings, foreign, rounds)


def _foreign(
    used: Iterable[Sequence[str]], voices: Sequence[Sequence[str]], baselines: Sequence[Baseline]
) -> list[str]:
    """The models of a debate, including its judge, that some baseline does not use."""
    heard = voices if list(baselines) == ["vote"] else voices[:1]
    known = {model for models in heard for model in models}
    return sorted({model for models in used for model in models} - known) if baselines else []


def _spec(setup: Setup, dataset: Dataset, options: Options, design: Design) -> dict[str, Any]:
    """The settings that must be the same when an evaluation is resumed. The limit and the epochs may grow."""
    return {
        "dataset": dataset.name,
        "sha256": dataset.sha256,
        "match": design.match,
        "index_from": design.index_from,
        "shuffle_options": design.shuffle_options,
        "scorer": design.scorer,
        "protocols": {
            contender.name: {"protocol": contender.protocol, **contender.given} for contender in setup.contenders
        },
        "baselines": list(setup.baselines),
        "voters": setup.voters,
        "budget": setup.budget,
        "seed": setup.seed,
        "model": options.model,
        "roles": options.roles,
        "voices": dict(setup.voices),
        "sampling": options.model_dump(mode="json").get("sampling", {}),
    }


def _frozen(folder: Path) -> dict[str, Any]:
    """The setup of the evaluation in this folder; empty if there is none."""
    if read_file(folder / FROZEN) is not None:
        return read_object(folder / FROZEN)
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty, and not an evaluation; choose another folder")
    return {}


@contextmanager
def _held(folder: Path, spec: Mapping[str, Any]) -> Iterator[None]:
    """Create the folder, or check that it holds this evaluation, and lock it against other processes."""
    make_folder(folder, "the folder")
    with locked(folder, f"another process is running the evaluation in {folder}"):
        check_study(folder)
        _freeze(folder, parse_json(json.dumps(spec, ensure_ascii=False, default=str)))
        yield


def _freeze(folder: Path, spec: Mapping[str, Any]) -> None:
    """Write the setup of this evaluation; ConfigError if the folder holds another one."""
    frozen = _frozen(folder)  # read again: the content is certain only while the folder is locked
    if not frozen:
        write_whole(folder / FROZEN, (json.dumps(spec, ensure_ascii=False, indent=2) + "\n").encode())
        return
    for key in frozen.keys() | spec.keys():
        if frozen.get(key) != spec.get(key):
            was, now = (json.dumps(contender.get(key), ensure_ascii=False)[:200] for contender in (frozen, spec))
            raise ConfigError(
                f"{folder} holds another evaluation: its `{key}` is {was}, not {now}; choose another --out"
            )


def _with_earlier_reports(folder: Path, found: Evaluation) -> Evaluation:
    """The evaluation with the numbers of questions after which its folder was reported before."""
    try:
        last = parse_json((folder / SUMMARY).read_bytes())
        before = {int(last["done"]), *map(int, last["earlier_reports"])}
    except (OSError, ValueError, KeyError, TypeError):
        return found
    earlier = sorted(one for one in before if 0 < one < found.done)
    if not earlier:
        return found
    note = template_of("evaluate").note("earlier_reports", earlier=listed(list(map(str, earlier))))
    return found.model_copy(update={"earlier_reports": earlier, "notes": [note, *found.notes]})


def _write_documents(folder: Path, found: Evaluation) -> Evaluation:
    from moot.studies.evaluate.report import documents

    for name, data in documents(found, parse_json((folder / FROZEN).read_bytes())).items():
        write_whole(folder / name, data, sync=False)
    return found
