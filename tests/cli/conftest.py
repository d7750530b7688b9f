from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.command import empty_place
from tests.kit.servers import endpoint


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in."""
    return empty_place(tmp_path, monkeypatch)


@pytest.fixture
def provider(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a model server that answers at once; the settings name it."""
    with endpoint() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("MOOT_MODEL", "openai/gpt-5-mini")
        yield server.url
