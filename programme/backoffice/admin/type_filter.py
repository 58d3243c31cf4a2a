"""The filter of lists by type, which finds what has it among several."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from programme.models.event_types import has_type
from programme.models.parsing import parse_int


class TypeFilter(admin.RelatedFieldListFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        keys = [parse_int(each) for each in self.lookup_val or ()]
        if not keys or None in keys:
            return super().queryset(request, queryset)
        return queryset.filter(has_type(keys, self.field_path.removesuffix("type")))
