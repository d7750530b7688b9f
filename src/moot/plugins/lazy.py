"""Modules that import a name only when it is used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(page: dict[str, Any], names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` for a module whose globals are `page`; it also adds `__all__` and `__dir__`. `names` lists the
    names by module, with spaces between; a name can be that of a submodule."""
    modules = {name: module for module, several in names.items() for name in several.split()}
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
