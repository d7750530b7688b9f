from pathlib import Path

import pytest


@pytest.fixture(params=["folder", "PostgreSQL"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the runs of a host are kept."""
    return str(tmp_path) if request.param == "folder" else request.getfixturevalue("database")
