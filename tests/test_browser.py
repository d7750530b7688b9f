"""The browser of the tests is found under every usual name, and the one that is named goes first."""

from pathlib import Path

import pytest

from tests.kit.browser import NAMES, chromium, find_browser


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, with nothing in it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MOOT_BROWSER", raising=False)
    return tmp_path


def put(folder: Path, name: str) -> str:
    (folder / name).touch(mode=0o755)
    return str(folder / name)


@pytest.mark.parametrize("name", NAMES)
def test_every_usual_name_will_do(path: Path, name: str) -> None:
    program = put(path, name)
    assert find_browser() == program


def test_one_that_is_named_goes_first_and_no_other_stands_in_for_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(path, NAMES[0])
    monkeypatch.setenv("MOOT_BROWSER", "own")
    with pytest.raises(FileNotFoundError, match="own"):
        find_browser()
    program = put(path, "own")
    assert find_browser() == program


def test_without_one_a_test_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception, match="chromium-browser"), chromium():
        pass
