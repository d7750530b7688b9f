import pytest

from tests.kit import unread


@pytest.fixture(autouse=True)
def reports_are_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a debate came to is looked up in its result; few tests here look into what is written of it."""
    monkeypatch.setattr(unread, "written", False)


@pytest.fixture
def reports_are_read(reports_are_unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "written", True)
