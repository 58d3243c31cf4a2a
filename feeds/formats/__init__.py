"""The registry of formats: every module in this folder is imported, and declares formats as classes."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from feeds.formats.base import Format


def _declared(base: type[Format]) -> Iterator[type[Format]]:
    for declared in base.__subclasses__():
        if declared.extension:
            yield declared
        yield from _declared(declared)


for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

# In the interface's order, which breaks ties in negotiation.
FORMATS: tuple[type[Format], ...] = tuple(sorted(_declared(Format), key=lambda each: each.rank))
BY_EXTENSION = {each.extension: each for each in FORMATS}

__all__ = ["BY_EXTENSION", "FORMATS", "Format"]
