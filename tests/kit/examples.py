"""How many examples a property test tries, where the usual number is not right for it."""

from hypothesis import settings


def tries(count: int) -> int:
    """How often a test tries what it draws by lot itself: that often, and with `--deep` twenty times as often."""
    assert settings.default is not None
    return count * settings.default.max_examples // 25


def examples(count: int) -> settings:
    """That many examples, and with `--deep` as many times more as other tests try."""
    return settings(max_examples=tries(count))
