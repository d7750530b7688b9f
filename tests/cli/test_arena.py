"""`moot arena`: what goes in, what comes out, and how it looks while it runs."""

import pytest

from tests.kit.command import refused

pytestmark = pytest.mark.usefixtures("provider")


def test_what_is_refused() -> None:
    assert "either --agents" in refused("arena", "x y", "--agents", "3", "--agent", "A=b/c", "--agent", "B=b/c")
    for odd in ("=b/c", "Ada=", "Ada"):
        message = refused("arena", "x y", "--agent", odd, "--agent", "Bo=b/c")
        assert message == f"moot: --agent needs NAME=MODEL, not {odd!r}\n"
    assert "Missing task." in refused("arena")
