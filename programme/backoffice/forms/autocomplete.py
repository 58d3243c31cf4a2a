"""Autocompletes that show what is chosen without asking the database once for each row."""

from typing import Any

from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models

from programme.models.parsing import parse_int


class PreloadedAutocomplete(AutocompleteSelect):
    """Takes the label of the row that was chosen before from an instance that is there already."""

    loaded: models.Model | None = None

    def optgroups(self, name: str, value: list[str], attr: Any = None) -> list[Any]:
        if self.loaded is None or value != [str(self.loaded.pk)]:
            # Django asks the database for whatever was sent, and fails of what is no number.
            keys = [key for key in value if parse_int(key) is not None]
            return super().optgroups(name, keys, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        chosen = self.create_option(name, self.loaded.pk, str(self.loaded), True, len(blank))
        return [(None, [*blank, chosen], 0)]


class PreloadedAutocompleteMixin:
    """A model admin whose autocompletes are of that kind."""

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):  # type: ignore[attr-defined]
            kwargs["widget"] = PreloadedAutocomplete(db_field, self.admin_site)  # type: ignore[attr-defined]
        return super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]
