"""The facts of events, occasions and locations in forms, and their words for those who only read."""

from functools import cache
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from feeds.facts import facts_of
from programme.backoffice.generics import BaseModelAdmin
from programme.models.facts import FactField


class HasFacts(BaseModelAdmin):
    """A form with a group of the facts that its rows state, which is folded as long as none is."""

    # The facts that stand elsewhere in the form.
    facts_above: tuple[str, ...] = ()

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        names = [
            fact.name for fact in facts_of(self.opts.model_name or "") if fact.name not in self.facts_above
        ]
        classes = [] if any(getattr(obj, name, None) for name in names) else ["collapse"]
        found = [*super().get_fieldsets(request, obj)]
        found.append((_("Facts that readers choose by"), {"classes": classes, "fields": names}))
        if obj and not self.has_change_permission(request, obj):
            return [(name, {**each, "fields": [*map(self._read, each["fields"])]}) for name, each in found]
        return found

    def _read(self, field: Any) -> Any:
        is_fact = field in {fact.name for fact in facts_of(self.opts.model_name or "")}
        return show_in_words(self.opts.get_field(field)) if is_fact else field


@cache
def show_in_words(field: Any) -> Any:
    """Return what a form shows of a field that the user may not change: of a fact the words of its codes."""
    if not isinstance(field, FactField):
        return field.name

    @admin.display(description=field.verbose_name)
    def show(row: Any) -> str:
        return field.describe(getattr(row, field.name)) or "-"

    show.__name__ = field.name
    return show
