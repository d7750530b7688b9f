"""Nothing here is given up because the machine is busy."""

from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import patch

import pytest

from tests.kit.waiting import PATIENCE

LIMITS = (
    "moot.evidence.context.FOLDER_SECONDS",
    "moot.evidence.context.READING_SECONDS",
    "moot.evidence.git.SECONDS",
    "moot.evidence.reader.START_SECONDS",
    "moot.evidence.search_services.SECONDS",
)


@pytest.fixture(scope="module", autouse=True)
def patient() -> Iterator[None]:
    with ExitStack() as patched:
        for limit in LIMITS:
            patched.enter_context(patch(limit, PATIENCE))
        yield
