"""Pages of names that load what stands behind a name only when it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy(page: dict[str, Any], names: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose globals are `page`, which gets a `__dir__` as well. `names` are what it
    offers, by the module of each."""
    modules = {name: module for module, several in names.items() for name in several}
    page["__dir__"] = lambda: sorted({*page, *modules})

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {page['__name__']!r} has no attribute {name!r}")
        page[name] = found = getattr(import_module(modules[name]), name)
        return found

    return load
