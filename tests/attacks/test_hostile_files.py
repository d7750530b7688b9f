"""Every file that moot reads, with the same hostile documents: each is read or refused in words, and nothing else fails
with it."""

import ast
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.argument import formats
from moot.argument.extracted import anchors, extracted_graph
from moot.engine.define.policy import read_policy
from moot.engine.outcome.questions import question_records
from moot.engine.outcome.stored import readable_result
from moot.engine.staging.finding import list_studies
from moot.engine.staging.outside import inbox_of
from moot.errors import MootError
from moot.evidence import Corpus
from moot.models.scripted import scripted_model
from moot.plugins.files import project_file, settings_file
from moot.plugins.trust import is_trusted, trust
from moot.runs.receipts import parsed
from moot.runs.tags import tags_of
from moot.service.host import Host
from moot.studies.batch.items import read_batch
from moot.studies.evaluate.loading import read_records
from moot.studies.evaluate.report import stored_rows
from moot.studies.overview import overview_of, page_of, rows_of
from moot.text.json import parse_json
from moot.text.yaml import parse_yaml
from tests.kit.command import empty_place
from tests.kit.duels import staged
from tests.kit.sources import FILES, nodes

HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \n\n",
    "zero bytes": b"\0" * 1000,
    "no UTF-8": b'{"a": "\xff\xfe"}',
    "UTF-16": '{"a": "b"}'.encode("utf-16"),
    "a beginning": b'{"a": [1, 2',
    "words": b"It is so.",
    "a list": b'[1, "a", null]',
    "a number": b"7",
    "null": b"null",
    "another shape": b'{"a": {"b": [true]}, "status": [], "summary": 3, "key": {}, "name": null}',
    "a key twice": b'{"a": 1, "a": 2}',
    "half a character": b'{"a": "\\ud800", "topic": "\\udfff", "tags": ["\\ud800"]}',
    "halves in a list": b'["\\ud800"]',
    "not a number": b'{"a": NaN, "seconds": -Infinity}',
    "an infinity": b'{"a": 1e999, "seconds": 1.0e+999}',
    "many digits": b'{"a": ' + b"9" * 5000 + b"}",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a": ' * 3000 + b"1" + b"}" * 3000,
    "aliases": b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "control characters": b'{"a": "\\u001b[2J\\u202e", "topic": "x\\u0000y"}',
}
REFUSED = ("a key twice", "half a character", "halves in a list", "not a number", "many digits", "deep", "deep objects")


@pytest.mark.parametrize("kind", REFUSED)
def test_what_could_mislead_is_refused(kind: str) -> None:
    with pytest.raises(ValueError):
        parse_json(HOSTILE[kind])


def test_numbers_in_yaml_are_finite() -> None:
    with pytest.raises(moot.ConfigError, match="too large"):
        parse_yaml(b"a: 1.0e+999", "it")


def quietly(*reads: Callable[[], Any]) -> None:
    for read in reads:
        with suppress(MootError):
            read()


OF_A_RUN: tuple[str, ...] = (
    "config.yaml",
    "log.jsonl",
    "calls.jsonl",
    "result.json",
    "receipt.json",
    "tags.json",
    "questions.jsonl",
)
OF_A_RUN += ("waiting.json", "arguments.json", "arguments-anchors.json")


OF_RUNS: list[Callable[[moot.Run], Any]] = [readable_result, question_records, moot.verify, anchors, extracted_graph]


@pytest.mark.parametrize("name", OF_A_RUN)
def test_a_file_of_a_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    good, bad = staged("debates"), staged("debates")
    for document in HOSTILE.values():
        for content in (document, document + b"\n"):
            (bad.path / name).write_bytes(content)
            run = moot.Run(bad.path)
            inbox = inbox_of(run)
            assert inbox is not None
            read: list[Callable[[], Any]] = [lambda run=run: run.config, run.entries, run.records, run.result]  # type: ignore[misc]
            read += [partial(one, run) for one in OF_RUNS]
            quietly(*read, inbox.questions, partial(parsed, content))
            assert all(text.isprintable() for text in tags_of(run))
            assert good.name in [card.name for card in Host("debates").shelf.cards()]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("batch.json", {}),
        ("items.jsonl", {"batch.json": '{"file": "x", "debates": 1, "created": "2026-01-01T00:00:00Z"}'}),
        ("ledger.jsonl", {"batch.json": '{"file": "x", "debates": 1, "created": "2026-01-01T00:00:00Z"}'}),
        ("evaluation.json", {}),
        ("rows.jsonl", {"evaluation.json": '{"dataset": "x"}'}),
        ("summary.json", {"evaluation.json": '{"dataset": "x"}'}),
        ("gate.yaml", {}),
    ],
)
def test_a_file_of_a_study(name: str, others: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "studies" / "one"
    folder.mkdir(parents=True)
    for other, about in others.items():
        (folder / other).write_text(about, "utf-8")
    for document in HOSTILE.values():
        for content in (document, document + b"\n"):
            (folder / name).write_bytes(content)
            for study in list_studies(str(tmp_path / "studies")):
                quietly(*(partial(one, study) for one in (overview_of, rows_of, page_of)))
                quietly(partial(stored_rows, study.path))


READERS: dict[str, Callable[[Path], Any]] = {
    "moot.yaml": lambda path: settings_file(project_file()),
    "debate.yaml": lambda path: moot.configure("duel", path),
    "policy.yaml": lambda path: read_policy(str(path)),
    "replies.yaml": lambda path: scripted_model(str(path)),
    "pack.jsonl": lambda path: Corpus.load(path.parent),
    "pack.md": lambda path: Corpus.load(path.parent),
    "questions.json": read_records,
    "questions.csv": read_records,
    "questions.jsonl": read_records,
    "batch.yaml": read_batch,
    "batch.jsonl": read_batch,
    "graph.json": formats.read,
}


@pytest.mark.parametrize("name", READERS)
def test_a_file_of_the_user(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = empty_place(tmp_path, monkeypatch)
    for document in HOSTILE.values():
        content = b"---\n" + document + b"\n---\nwords" if name == "pack.md" else document
        (place / name).write_bytes(content)
        if name == "moot.yaml":
            quietly(lambda: trust(place / "moot.yaml"))
        quietly(lambda: READERS[name](place / name))


def test_the_list_of_what_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = empty_place(tmp_path, monkeypatch)
    (place / "moot.yaml").write_text("model: a/b\n", "utf-8")
    kept = trust(place / "moot.yaml")
    for document in HOSTILE.values():
        kept.write_bytes(document)
        assert not is_trusted(place / "moot.yaml")


PARSERS: tuple[str, ...] = (
    "JSONDecoder",
    "from_json",
    "model_validate_json",
    "validate_json",
    "safe_load",
    "unsafe_load",
)
PARSERS += ("json.load", "json.loads", "yaml.load")
MAY_PARSE = {
    "text/json.py": "the reader of JSON itself",
    "text/yaml.py": "the reader of YAML itself",
    "web/partial_json.py": "a reply in progress, which is no whole JSON, for show alone",
    "engine/play/reader.py": "what was parsed strictly, and written as JSON again for the rules of its shape",
}


def test_nothing_else_parses_json_or_yaml() -> None:
    source = Path(moot.__file__).parent
    called = {(path, ast.unparse(node.func)) for path in FILES for node in nodes(path) if isinstance(node, ast.Call)}
    found = {path for path, name in called if name in PARSERS or name.rpartition(".")[2] in PARSERS}
    assert {str(path.relative_to(source)) for path in found} == MAY_PARSE.keys()
