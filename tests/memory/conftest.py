from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store is: a new file, or a new database of a real server."""
    if request.param == "sqlite":
        return str(tmp_path / "memory.db")
    address: str = request.getfixturevalue("database")
    return address
