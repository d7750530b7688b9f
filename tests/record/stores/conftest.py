from pathlib import Path

import pytest


@pytest.fixture(params=["folder", "postgresql"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where runs go."""
    if request.param == "folder":
        return str(tmp_path / "debates")
    address: str = request.getfixturevalue("database")
    return address
