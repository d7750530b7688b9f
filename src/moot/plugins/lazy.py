"""Modules that import a name only when it is used."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy(page: dict[str, Any]) -> Callable[[str], Any]:
    """The `__getattr__` for a module whose globals are `page`; it also adds `__all__` and `__dir__`. The names are in
    its stub, which type checkers read, too: `from MODULE import NAME as NAME`, a line each. A name can be that of a
    submodule."""
    with open(f"{page['__file__']}i", encoding="utf-8") as stub:  # noqa: PTH123 (a part of every start)
        lines = [line.split() for line in stub]
    modules = {words[3]: words[1] for words in lines if words[:1] == ["from"]}
    page["__all__"] = sorted(modules)
    page["__dir__"] = lambda: sorted({*page, *modules})

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {page['__name__']!r} has no attribute {name!r}")
        module = import_module(modules[name])
        page[name] = value = (
            getattr(module, name) if hasattr(module, name) else import_module(f"{modules[name]}.{name}")
        )
        return value

    return load
