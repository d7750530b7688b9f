"""How many examples a property test tries, where the usual number is not right for it."""

from hypothesis import settings


def examples(count: int) -> settings:
    """That many examples, and with `--deep` as many times more as other tests try."""
    return settings(max_examples=count * settings.default.max_examples // 25)
