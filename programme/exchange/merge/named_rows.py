"""Rows of one kind by name, also by former ones: those there are, and those an import would make."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from feeds.names import fold


class NamedRows:
    """Rows of one kind by folded name. One that is not there is made, but not saved."""

    def __init__(
        self, there: dict[Any, Any], make: Callable[[str], Any], model: Any = None, names: Iterable[str] = ()
    ) -> None:
        self.rows = there
        self.model = model
        # The fields that hold what it is called by.
        self.names = tuple(names)
        # By the name that they bore before they were renamed here: what the file calls so still.
        self.renamed: dict[Any, Any] = {}
        self.make = make
        self.created: list[Any] = []
        self._used: set[int] = set()

    def named(self, name: str) -> Any:
        """Return the row of a name."""
        return self.keyed(fold(name), lambda: self.make(name))

    def keyed(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the row of a key: where a name alone does not tell, a pair of what does and the name."""
        if not self.knows(key):
            self.rows[key] = make()
            self.created.append(self.rows[key])
        return self.use(self.rows[key])

    def knows(self, key: Any) -> bool:
        """Return whether there is a row of a key, or else one that bore the name before it was renamed."""
        if key not in self.rows and key in self._former:
            self.rows[key] = self.renamed[key] = self._former[key]
        return key in self.rows

    @cached_property
    def _former(self) -> dict[Any, Any]:
        """The rows by the keys that they would have by the names they ever bore; who bore one last has it."""
        keys: dict[int, list[Any]] = defaultdict(list)
        for key, row in self.rows.items():
            if row.pk:
                keys[row.pk].append(key)
        versions = self.model.history.filter(id__in=keys) if self.names else ()
        borne = versions and versions.order_by("history_id").values_list("id", *self.names).distinct()
        return {
            _called(name, key): self.rows[key]
            for pk, *names in borne
            for name in filter(None, names)
            for key in keys[pk]
        }

    def know(self, rows: dict[Any, Any]) -> None:
        """Know more rows, where they are not known yet; those that are known go before."""
        if not rows.keys() <= self.rows.keys():
            self.rows = rows | self.rows
            self.__dict__.pop("_former", None)

    def optional(self, name: str) -> Any:
        """Return the row of a name, None for ''."""
        return self.named(name) if name else None

    def use(self, row: Any) -> Any:
        """Return a row, and count it as used."""
        self._used.add(identity(row))
        return row

    def keep_created(self, named: set[int]) -> None:
        """Make only those of the new rows whose identities these are."""
        self._used -= {identity(row) for row in self.created if id(row) not in named}
        self.created = [row for row in self.created if id(row) in named]

    @property
    def unchanged(self) -> int:
        """How many of the rows that are used were there already."""
        return len(self._used) - len(self.created)


def identity(row: Any) -> int:
    """Return what tells a row from others of its kind, before it is saved, too."""
    return row.pk or -id(row)  # type: ignore[no-any-return]


def _called(name: str, key: Any) -> Any:
    """Return a key with another name in it."""
    return (key[0], fold(name)) if isinstance(key, tuple) else fold(name)
