"""How many examples a test tries, where the usual number is not right for it or it draws them itself."""

from hypothesis import settings


def examples(count: int) -> settings:
    """That many examples, and with `--deep` as many times more as other tests try."""
    return settings(max_examples=tries(count))


def tries(count: int) -> int:
    """The same as a number."""
    usual = settings.default
    assert usual is not None
    return count * usual.max_examples // 25
