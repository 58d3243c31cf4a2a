"""The list of the programme, with a row for each event or for each occasion."""

from typing import Any

from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from programme.backoffice.admin.filters import HOURS
from programme.backoffice.admin.news import NewsAdmin
from programme.backoffice.schedule import describe_plan
from programme.backoffice.search import find_keys
from programme.models import Event, Occasion

ROWS = {Event: _("By event"), Occasion: _("By occasion")}
# The parameters by which both lists are narrowed, by their names in that of events.
SHARED = {name: name for name in (SEARCH_VAR, "day", "place", "audience", *HOURS)}
SHARED |= {name: f"event__{name}" for name in ("area__id__exact", "status__exact", "type__id__exact")}


class ProgrammeAdmin(NewsAdmin):
    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        context = {"switch": self._build_switch(request)}
        return super().changelist_view(request, context | (extra_context or {}))

    def _build_switch(self, request: HttpRequest) -> list[tuple[Any, str]]:
        """Return what a row can be, with the address of the list; '' for what it is."""
        to_other = SHARED if self.model is Event else {other: name for name, other in SHARED.items()}
        query = QueryDict(mutable=True)
        for name, values in request.GET.lists():
            if name in to_other:
                query.setlist(to_other[name], values)
        lists = {model: reverse(f"admin:programme_{model._meta.model_name}_changelist") for model in ROWS}
        other = f"?{query.urlencode()}"
        return [(text, "" if each is self.model else lists[each] + other) for each, text in ROWS.items()]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return what has the words anywhere, as readers find it; in a search box what is called so."""
        found, has_duplicates = super().get_search_results(request, queryset, search_term)
        if not request.GET.get(SEARCH_VAR):
            return found, has_duplicates
        named = Q(pk__in=found.order_by().values("pk"))
        return queryset.filter(named | Q(pk__in=find_keys(search_term, self.model))), False


def show_state(event: Event, *marks: str, cancelled: bool) -> str:
    """Return the state of a row: drafts are hatched, and what is cancelled is struck through."""
    parts = [event.get_status_display(), _("cancelled") if cancelled else "", describe_plan(event), *marks]
    classes = f"{event.status} cancelled" if cancelled else event.status
    return format_html('<span class="{}">{}</span>', classes, ", ".join(map(str, filter(None, parts))))
