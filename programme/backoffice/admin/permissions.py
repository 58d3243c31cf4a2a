"""Lists and forms of events and occasions, which refuse what `programme.changes.rights` forbids."""
# ruff: noqa: ARG002 - hooks define the arguments

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from programme.backoffice.admin.base import BackOfficeAdmin, OrderedList
from programme.backoffice.editions import get_scope
from programme.backoffice.features import Feature
from programme.backoffice.forms.base import build_search_media
from programme.backoffice.imports.uploads import EDIT
from programme.backoffice.lists import may_pick
from programme.changes.change import Change
from programme.changes.rights import Verb, require_change, rights_of
from programme.history.news import select_told
from programme.models import Event, Occasion, Status

# How many rows of a refused selection the message names.
MOST_NAMED = 5


class ScopedList(OrderedList):
    """A list of what the user works with (`programme/backoffice/editions.py`); forms of other rows open."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        scope = get_scope(request)
        chosen = scope.events if self.model is Event else scope.occasions
        # What an import wrote is shown, of whichever edition it is.
        if EDIT not in request.GET:
            self.root_queryset = self.root_queryset.filter(chosen)
        return super().get_queryset(request, exclude_parameters)


class RightsAdmin(BackOfficeAdmin):
    """A model admin of events or occasions.

    It checks each row as it is stored: the admin asks before it binds a form to the row.
    """

    @property
    def media(self) -> Media:
        return super().media + build_search_media()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ScopedList]:
        return ScopedList

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._allows("change", request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._allows("delete", request, obj)

    def _allows(self, verb: Verb, request: HttpRequest, row: Event | Occasion | None) -> bool:
        return row is None or rights_of(request.user).can(verb, row)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return rights_of(request.user).can_publish

    def has_pick_permission(self, request: HttpRequest) -> bool:
        return may_pick(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        return {name: (_check_rows(action), *rest) for name, (action, *rest) in actions.items()}


def _check_rows(action: Callable[..., HttpResponse | None]) -> Callable[..., HttpResponse | None]:
    """Return an action that refuses all rows where the user may not do with one what the action needs.

    An action that needs to view only, such as an export, or to pick for a list, checks nothing more.
    """
    needed = [
        verb for verb in getattr(action, "allowed_permissions", ["change"]) if verb not in {"view", "pick"}
    ]

    def checked(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        for verb in needed:
            allowed = rights_of(request.user).filter_allowed(verb, queryset.model.objects.all())
            if forbidden := list(queryset.exclude(pk__in=allowed.values("pk"))):
                messages.error(request, _describe_forbidden(forbidden))
                return None
        return action(model_admin, request, queryset)

    return checked


def _describe_forbidden(rows: list[Any]) -> str:
    named = ", ".join(map(str, rows[:MOST_NAMED])) + (" …" if len(rows) > MOST_NAMED else "")
    return ngettext(
        "Nothing was changed: %(count)d of the chosen rows is not yours to change (%(named)s).",
        "Nothing was changed: %(count)d of the chosen rows are not yours to change (%(named)s).",
        len(rows),
    ) % {"count": len(rows), "named": named}


class EditOffers(Feature):
    """The buttons that publish, and the reason why a form is read-only."""

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        rights = rights_of(request.user)
        found: dict[str, Any] = {"publishes": rights.can_publish}
        if row and rights.can_publish:
            found["is_told"] = row.status == Status.PUBLISHED or select_told([row.pk]).exists()
        if row and not self.model_admin.has_change_permission(request, row):
            found["read_only_reason"] = rights.explain_read_only(row)
        return found


def require_saved(request: HttpRequest, row: Event | Occasion) -> None:
    """Raise PermissionDenied unless the user may save the row with the values of this instance.

    Forms offer nothing else and say by the field what they refuse; this also holds for crafted requests.
    """
    rights = rights_of(request.user)
    if not (rights.can_publish and rights.areas is None):
        require_change(request.user, Change.of(type(row).objects.filter(pk=row.pk).first(), row))
