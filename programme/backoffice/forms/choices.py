"""What search boxes offer: events that have one title are told apart by when they are and whose they are."""

from typing import Any

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.db.models import Count

from feeds.wording import format_clock
from programme.backoffice.dates import format_day
from programme.models import Event
from programme.models.festival_time import festival_time


class ChoicesView(AutocompleteJsonView):
    shared_titles: frozenset[str] = frozenset()

    def get_context_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(*args, **kwargs)
        if self.model_admin.model is Event:
            self.shared_titles = _find_shared_titles({event.title for event in context["object_list"]})
        return context

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        result: dict[str, str] = super().serialize_result(obj, to_field_name)
        if isinstance(obj, Event) and obj.title in self.shared_titles:
            result["text"] = f"{obj.title} ({describe(obj)})"
        return result


def _find_shared_titles(titles: set[str]) -> frozenset[str]:
    found = Event.objects.filter(title__in=titles).values("title").annotate(count=Count("pk"))
    return frozenset(found.filter(count__gt=1).order_by().values_list("title", flat=True))


def describe(event: Any) -> str:
    """Return `Wed 2026-07-29 14:00, Föreningen Jazz`, or the area of what has no organizer."""
    owner = str(event.organizer or event.area)
    if event.first_start is None:
        return owner
    festival = festival_time()
    clock = format_clock(festival.local(event.first_start))
    return f"{format_day(festival.day_of(event.first_start))} {clock}, {owner}"
