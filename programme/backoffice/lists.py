"""What is put on the lists that readers see: by one click in forms."""
# ruff: noqa: ARG002 - hooks define the arguments

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.backoffice.dates import format_day_and_time
from programme.backoffice.features import Feature
from programme.changes.rights import rights_of
from programme.history import edits
from programme.models import Event, ListItem, Occasion, OccasionList
from programme.models.parsing import parse_int

ADDED, REMOVED = gettext_noop("put on a list:"), gettext_noop("taken from a list:")


def may_pick(request: HttpRequest) -> bool:
    return all(map(rights_of(request.user).has_permission, ("add_listitem", "delete_listitem")))


def put(shown: OccasionList, model: type[Event | Occasion], key: int) -> None:
    """Put an event or an occasion on a list, unless it is on it."""
    item: dict[str, Any] = {f"{model._meta.model_name}_id": key}
    shown.items.get_or_create(**item)
    edits.set_reason(ADDED, shown.title_sv)


def take(shown: OccasionList, model: type[Event | Occasion], key: int) -> None:
    shown.items.filter(**{str(model._meta.model_name): key}).delete()
    edits.set_reason(REMOVED, shown.title_sv)


def pick(request: HttpRequest) -> HttpResponse:
    """Put an event or an occasion on a list, or take it from it, as a box was ticked."""
    if not may_pick(request):
        raise PermissionDenied
    sent, model = request.POST, Event if "event" in request.POST else Occasion
    shown = get_object_or_404(OccasionList, pk=parse_int(sent.get("list", "")))
    row = get_object_or_404(model, pk=parse_int(sent.get(str(model._meta.model_name), "")))
    (put if sent.get("listed") else take)(shown, model, row.pk)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


class Pick(NamedTuple):
    """A row that can be picked: what `name` and `key` send, and each list with whether it is on it."""

    name: str
    key: int
    label: str
    lists: list[tuple[OccasionList, bool]]


class Picking(Feature):
    """The boxes below the form of an event that put it, or an occasion, on lists; none without a list."""

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        if row is None or not may_pick(request) or not (lists := list(OccasionList.objects.all())):
            return {}
        return {"picks": list(_list_picks(row, lists))}


def _list_picks(event: Event, lists: list[OccasionList]) -> Iterator[Pick]:
    whole = {event.pk: _("The whole event, with what is added later")}
    held = {each.pk: str(format_day_and_time(each.start)) for each in event.occasions.order_by("start", "id")}
    labels: dict[str, dict[int, str]] = {"event": whole, "occasion": held}
    found = ListItem.objects.filter(Q(event__in=labels["event"]) | Q(occasion__in=labels["occasion"]))
    items = set(found.values_list("on_list", "event", "occasion"))
    for name, named in labels.items():
        for key, label in named.items():
            place = (key, None) if name == "event" else (None, key)
            yield Pick(name, key, label, [(one, (one.pk, *place) in items) for one in lists])
