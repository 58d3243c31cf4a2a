"""Rows of one kind by name, also by former and other names.

They are the stored ones, and those that an import would create.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db.models import Model

from feeds.names import fold
from programme.history.merging import follow_merges
from programme.models import Location

Row = TypeVar("Row", bound=Model)
# A folded name; where names are not unique, a pair of what distinguishes them and the folded name.
Key = Any


class NamedRows(Generic[Row]):
    """Rows of one kind by key; a missing one is made, but not saved."""

    def __init__(
        self,
        model: type[Row],
        stored: dict[Key, Row],
        names: Iterable[str] = (),
        make: Callable[[str], Row] | None = None,
        merged: Mapping[str, dict[int, int]] | None = None,
    ) -> None:
        self.model = model
        self.rows = stored
        # The fields that hold its names.
        self.names = tuple(names)
        self.make = make or (lambda name: model(name=name))
        # What rows that are gone were merged into, by ID.
        gone = (merged or {}).get(model._meta.model_name or "", {})
        self.merged = follow_merges(gone, {row.pk for row in stored.values()})
        # What names of the file mean by an answer; None for what is left out. All that were asked about.
        self.meant: dict[Key, Row | None] = {}
        self.asked: set[Key] = set()
        # By former names that the file has for them.
        self._renamed: dict[str, Row] = {}
        self.created: list[Row] = []
        self._used: set[int] = set()

    def find(self, name: str) -> Row:
        """Return the row of a name, a new one if there is none."""
        return self.find_by_key(fold(name), lambda: self.make(name))

    def find_optional(self, name: str) -> Row | None:
        return self.find(name) if name and not self.leaves_out(fold(name)) else None

    def mean(self, key: Key, row: Row | None) -> None:
        """Let a name mean another one's row, or nothing."""
        self.meant[key] = row
        if row is not None:
            self.rows[key] = row

    def leaves_out(self, key: Key) -> bool:
        return self.meant.get(key, key) is None

    def find_by_key(self, key: Key, make: Callable[[], Row]) -> Row:
        if key not in self:
            self.rows[key] = make()
            self.created.append(self.rows[key])
        return self.use(self.rows[key])

    def __contains__(self, key: Key) -> bool:
        """Return whether a row has this name, or had it before it was renamed."""
        if key not in self.rows and key in self.former:
            name, row = self.former[key]
            self.rows[key] = row
            if name not in {getattr(row, each) for each in self.names}:
                self._renamed[name] = row
        return key in self.rows

    def list_renamed(self) -> list[tuple[str, Row]]:
        """Return the rows that the file names by former names, with these."""
        return [(name, row) for name, row in self._renamed.items() if identify(row) in self._used]

    @cached_property
    def former(self) -> dict[Key, tuple[str, Row]]:
        """All names that rows ever had or are called by, with these, by keys; of several, the last row."""
        keys: dict[int, list[Key]] = defaultdict(list)
        for key, row in self.rows.items():
            if row.pk:
                keys[row.pk].append(key)
        if not self.names:
            return {}
        versions: Any = self.model.history.filter(id__in=keys)  # type: ignore[attr-defined]
        scope = "address" if self.model is Location else "id"
        stated = [*versions.order_by("history_id").values_list("id", scope, *self.names)]
        for pk, (key, *_more) in keys.items():
            stated.append((pk, "", *getattr(self.rows[key], "other_names", "").splitlines()))
        former = {}
        for pk, within, *names in stated:
            for name in filter(None, names):
                for key in keys[pk]:
                    own = (key[0], fold(name)) if isinstance(key, tuple) else fold(name)
                    former[own] = (name, self.rows[keys[pk][0]])
                if self.model is Location:
                    # As the back office shows it.
                    former[fold(f"{name}, {within}")] = (name, self.rows[keys[pk][0]])
        return former

    def list_inside(self, name: str) -> list[Row]:
        """Return the rows with a folded name that is unique within something, or else that had it before."""
        former = {key: row for key, (_name, row) in self.former.items()}
        for rows in (self.rows, former):
            inside = ((key, row) for key, row in rows.items() if isinstance(key, tuple))
            if found := {identify(row): row for key, row in inside if key[1] == name}:
                return list(found.values())
        return []

    def use(self, row: Row) -> Row:
        self._used.add(identify(row))
        return row

    def drop_unused(self, named: set[int]) -> None:
        """Create only the new rows with these `id()`s."""
        self._used -= {identify(row) for row in self.created if id(row) not in named}
        self.created = [row for row in self.created if id(row) in named]


def identify(row: Model) -> int:
    """Return what identifies a row among those of its kind, also before it is stored."""
    return row.pk or -id(row)
