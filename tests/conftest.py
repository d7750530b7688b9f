"""What is there for all tests: the rule for skipped ones, and a real PostgreSQL with a database of its own for each."""

import fcntl
import gc
import os
from collections.abc import Generator, Iterator
from inspect import iscoroutinefunction, signature
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.databases import new_database, running_server
from tests.kit.unread import write_reports
from tests.kit.waiting import run

pytest_plugins = ["tests.kit.skips"]
# Which examples are tried does not change from run to run, so that a test that passes here passes elsewhere; `--deep`
# looks for new ones. How long one takes says how busy the machine is.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.register_profile("quick", PATIENT, max_examples=25, derandomize=True)
settings.register_profile("deep", PATIENT, max_examples=500)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="try twenty times as many examples, new ones each time")
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="run the files, and the tests of each, in a random order"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--deep"):
        settings.load_profile("deep")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Of the workers that import the same new files, the first compiles each one, and the others wait for that."""
    if not isinstance(collector, pytest.Module):
        return (yield)
    with collector.path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("--shuffle")
    if seed is not None:  # file by file, since tests of a file share servers and runs
        draw = Random(seed)
        places = {path: draw.random() for path in dict.fromkeys(item.path for item in items)}
        items.sort(key=lambda item: (places[item.path], draw.random()))


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end, so looking for garbage in it again and again is in vain."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def nobodys_lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What servers of tests offer is kept apart from what those of the user do."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module", autouse=True)
def variables_as_before(nobodys_lists: Path) -> Iterator[None]:
    """No file of tests leaves variables behind, which the next one would see, whichever that is."""
    before = _variables()
    yield
    assert _variables() == before


def _variables() -> dict[str, str]:
    passing = ("PYTEST_CURRENT_TEST", "OMP_WAIT_POLICY")  # pytest's, and the embedded model's for its whole process
    return {name: value for name, value in os.environ.items() if name not in passing}


@pytest.fixture(scope="session", autouse=True)
def no_pause_between_tries() -> Iterator[None]:
    """A model that fails is asked again at once: with real pauses, properties whose models fail take minutes."""
    from moot.models import calling

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(calling, "BASE_DELAY", 0.0)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in a loop of its own, with an error instead of a hang."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in signature(pyfuncitem.obj).parameters}))
    return True


UNREAD = {"engine", "protocols", "studies"}
"""Rooms whose tests look up in its result what a debate came to, and seldom in its reports."""


@pytest.fixture(autouse=True)
def reports_are_unread(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if UNREAD.intersection(request.path.parts):
        write_reports(monkeypatch, wanted=False)


@pytest.fixture
def reports_are_read(reports_are_unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write_reports(monkeypatch, wanted=True)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder that commands run in, where nobody's settings have a say."""
    from tests.kit.command import empty_place

    return empty_place(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The address of a new, empty database."""
    from moot.database.connection import close_databases

    yield new_database(server)
    close_databases()


@pytest.fixture(params=["folder", "PostgreSQL"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the runs of a host are kept."""
    return str(tmp_path) if request.param == "folder" else request.getfixturevalue("database")
