"""Autocompletes that show the stored choice without a query for each row."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models

from programme.models.parsing import parse_int


class PreloadedAutocomplete(AutocompleteSelect):
    """Takes the label of the stored choice from an instance that is loaded already."""

    loaded: models.Model | None = None

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        if self.loaded is None or list(value) != [str(self.loaded.pk)]:
            # Django asks the database for whatever was sent, and fails of what is no number.
            keys = [key for key in value if parse_int(key) is not None]
            return super().optgroups(name, keys, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        chosen = self.create_option(name, self.loaded.pk, str(self.loaded), True, len(blank))
        return [(None, [*blank, chosen], 0)]
