"""Mappings that are derived from each other without being copied."""

from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")

# Once more than one of so many keys has changed, all are copied.
SHARE = 16


class Layered(Mapping[Key, Item]):
    """A mapping that never changes: a base, and the items that differ from it.

    Mappings that are derived from each other share the base, so that deriving one costs what changes. A
    false item (an empty group, zero) stands for none.
    """

    __slots__ = ("base", "changed")

    def __init__(self, base: dict[Key, Item], changed: dict[Key, Item] | None = None) -> None:
        self.base = base
        self.changed = changed or {}

    def find(self, key: Key) -> Item | None:
        """Return the item of a key, something false if there is none."""
        return self.changed[key] if key in self.changed else self.base.get(key)

    def derive(self, changed: Mapping[Key, Item]) -> "Layered[Key, Item]":
        """Return the mapping with other items."""
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
