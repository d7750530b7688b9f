import pytest

from tests.kit.hostile import Runs, mild, reported, worst


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("runs")
    return Runs(reported(mild(folder)), reported(worst(folder)))
