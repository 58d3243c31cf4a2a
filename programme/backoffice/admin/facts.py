"""The facts of events, occasions and locations in forms, and their words for those who only read."""

from functools import cache
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from feeds.fact import Kind
from feeds.facts import facts_of
from programme.backoffice.generics import BaseModelAdmin
from programme.models.facts import FactField


class HasFacts(BaseModelAdmin):
    """A form with a group of the facts that its rows state, which is folded as long as none is."""

    # What stands beside the facts that are chosen from.
    beside_facts: tuple[str, ...] = ()

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        lines = self._list_lines()
        names = [name for line in lines for name in line]
        classes = [] if any(getattr(obj, name, None) for name in names) else ["collapse"]
        if obj and not self.has_change_permission(request, obj):
            lines = [[show_in_words(self.opts.get_field(name)) for name in line] for line in lines]
        options = {"classes": classes, "fields": [tuple(line) for line in lines]}
        return [*super().get_fieldsets(request, obj), (_("Facts that readers choose by"), options)]

    def _list_lines(self) -> list[list[str]]:
        """Return what stands beside each other: what is chosen from, and booking; each other fact alone."""
        facts = facts_of(self.opts.model_name or "")
        chosen = [fact.name for fact in facts if fact.kind is Kind.ONE]
        lines = [[fact.name] for fact in facts if fact.kind is not Kind.ONE]
        return [*([[*chosen, *self.beside_facts]] if chosen else []), *lines]


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
