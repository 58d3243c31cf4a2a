"""The queryset of models with folded keys."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db import models

from feeds.names import fold
from programme.models.cleaning import clean_line
from programme.models.fields import folded_keys

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)
Row = TypeVar("Row")


def split(rows: list[Row], size: int) -> Iterator[list[Row]]:
    """Yield rows or keys in parts of a size that one statement takes."""
    return (rows[first : first + size] for first in range(0, len(rows), size))


class ProgrammeQuerySet(models.QuerySet[Row_co]):
    """Updates folded keys with their sources in the statements that bypass `save`."""

    def update(self, **values: Any) -> int:
        return super().update(**values, **self._keys_of(values))

    def bulk_update(
        self, objs: Iterable[Row_co], fields: Iterable[str], batch_size: int | None = None
    ) -> int:
        names = [*fields]
        keys = [key.name for key in folded_keys(self.model) if key.source in names]
        return super().bulk_update(objs, [*names, *keys], batch_size)

    def _keys_of(self, values: dict[str, Any]) -> dict[str, Any]:
        keys = [key for key in folded_keys(self.model) if key.source in values and key.name not in values]
        for key in keys:
            if not isinstance(values[key.source], str):
                raise TypeError(f"update({key.source}=…) takes a string: {key.name} is folded from it")
        return {key.name: fold(clean_line(values[key.source])) for key in keys}
