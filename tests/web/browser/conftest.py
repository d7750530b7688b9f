from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.kit.browser import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all of these tests; each opens pages of its own. It ends with the last of them, since Playwright
    keeps the event loop of the thread busy."""
    with chromium() as found:
        yield found
