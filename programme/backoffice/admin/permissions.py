"""Lists and forms of events and occasions, which refuse what `programme.changes.rights` forbids."""
# ruff: noqa: ARG002 - hooks define the arguments

from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.forms import Media
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from programme.backoffice.admin.base import BackOfficeAdmin, OrderedList
from programme.backoffice.editions import get_scope
from programme.backoffice.features import Feature
from programme.backoffice.forms.base import build_search_media
from programme.backoffice.rendering import choose_back
from programme.changes.change import Change
from programme.changes.rights import Verb, require_change, rights_of
from programme.models import Event, News, Occasion, Status


class ScopedList(OrderedList):
    """A list of what the user works with (`programme/backoffice/editions.py`); forms of other rows open."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        scope = get_scope(request)
        chosen = scope.events if self.model is Event else scope.occasions
        # What is ticked in a form is of whichever edition it is.
        if "back" not in request.POST:
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
        return all(map(rights_of(request.user).has_permission, ("add_listitem", "delete_listitem")))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        back = choose_back(request.POST.get("back", ""))
        if back and ACTION_CHECKBOX_NAME not in request.POST:
            messages.warning(request, _("Tick at least one occasion."))
            return redirect(back)
        return super().changelist_view(request, extra_context)


class EditOffers(Feature):
    """The button that removes what readers were told, and the reason why a form is read-only."""

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        rights = rights_of(request.user)
        found: dict[str, Any] = {}
        if row and rights.can_publish:
            found["is_told"] = row.status == Status.PUBLISHED or News.objects.filter(event_id=row.pk).exists()
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
