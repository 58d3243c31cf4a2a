"""Mappings that are derived from each other without being copied."""

from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")

# If more than one of this many keys has changed, the whole mapping is copied.
SHARE = 16


class Layered(Mapping[Key, Item]):
    """An immutable mapping: a base, and the items that differ from it.

    A mapping and those derived from it share the base, so deriving costs only the changed items. A falsy
    item (an empty group, zero) is no item.
    """

    __slots__ = ("base", "changed")

    def __init__(self, base: dict[Key, Item], changed: dict[Key, Item] | None = None) -> None:
        self.base = base
        self.changed = changed or {}

    def find(self, key: Key) -> Item | None:
        """Return the item of a key, a falsy value if there is none."""
        return self.changed[key] if key in self.changed else self.base.get(key)

    def derive(self, changed: Mapping[Key, Item]) -> "Layered[Key, Item]":
        """Return the mapping with some items replaced."""
        every = {**self.changed, **changed}
        if len(every) * SHARE <= len(self.base):
            return Layered(self.base, every)
        return Layered({key: item for key, item in {**self.base, **every}.items() if item})

    def __getitem__(self, key: Key) -> Item:
        if item := self.find(key):
            return item
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return bool(self.find(key))  # type: ignore[arg-type]  # of a key of another type there is no item

    def __iter__(self) -> Iterator[Key]:
        yield from (key for key in self.base if key not in self.changed)
        yield from (key for key, item in self.changed.items() if item)

    def __len__(self) -> int:
        return len(self.base) + sum(bool(item) - (key in self.base) for key, item in self.changed.items())
