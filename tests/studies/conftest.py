import pytest

from tests.kit.unread import write_reports


@pytest.fixture(autouse=True)
def reports_are_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a debate came to is looked up in its result; few tests here look into what is written of it."""
    write_reports(monkeypatch, wanted=False)
