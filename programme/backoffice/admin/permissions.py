"""Lists and forms of events and occasions ask what their user may do before they do anything."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from programme.backoffice.rights import EventState, Rights, Verb, require_right, require_transition, rights_of
from programme.models import Event, Occasion

# So many rows of a selection are named where it is refused.
MOST_NAMED = 5


class RightsMixin:
    """A model admin of events or occasions that lets nobody do what `programme.backoffice.rights` does not.

    Each row that is asked about is as it is stored: the admin asks before it binds a form to it.
    """

    def rights(self, request: HttpRequest) -> Rights:
        return rights_of(request.user)

    def _may(self, verb: Verb, request: HttpRequest, row: Event | Occasion | None) -> bool:
        asked = getattr(super(), f"has_{verb}_permission")(request, row)
        return asked and (row is None or self.rights(request).may(verb, row))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may("change", request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may("delete", request, obj)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        """Return whether actions that publish or withdraw are offered."""
        return self.rights(request).publishes

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)  # type: ignore[misc]
        return {name: (_asking(action), *rest) for name, (action, *rest) in actions.items()}

    def get_changelist_formset(self, request: HttpRequest, **kwargs: Any) -> Any:
        formset = super().get_changelist_formset(request, **kwargs)  # type: ignore[misc]
        return type(formset.__name__, (_AskingRows, formset), {"rights": self.rights(request)})

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        require_right(request.user, "delete", [obj])
        super().delete_model(request, obj)  # type: ignore[misc]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        if _not_allowed(self.rights(request), "delete", queryset):
            raise PermissionDenied
        super().delete_queryset(request, queryset)  # type: ignore[misc]


class _AskingRows:
    """Rows edited in a list: those that may not be changed are shown and take nothing."""

    rights: Rights

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)  # type: ignore[misc]
        if form.instance.pk and not self.rights.may("change", form.instance):
            for name, field in form.fields.items():
                field.disabled = name != form._meta.model._meta.pk.name


def _asking(action: Callable[..., Any]) -> Callable[..., Any]:
    """Return an action that is refused as a whole where one of the chosen rows is not the user's to change.

    What it takes is what the action says it needs: one that needs to view alone, as an export does,
    is asked nothing more.
    """
    needed = [verb for verb in getattr(action, "allowed_permissions", ["change"]) if verb != "view"]

    def asking(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        for verb in needed:
            left = _not_allowed(rights_of(request.user), verb, queryset)
            if left:
                messages.error(request, _refusal(left))
                return None
        return action(model_admin, request, queryset)

    return asking


def _not_allowed(asked: Rights, verb: Verb, queryset: QuerySet) -> list[Any]:
    every = queryset.model.objects.all()
    allowed = asked.allowed(verb, every)
    if allowed is every:
        return []
    return list(queryset.exclude(pk__in=allowed.values("pk")))


def _refusal(rows: list[Any]) -> str:
    named = ", ".join(map(str, rows[:MOST_NAMED])) + (" …" if len(rows) > MOST_NAMED else "")
    return ngettext(
        "Nothing was changed: %(count)d of the chosen rows is not yours to change (%(named)s).",
        "Nothing was changed: %(count)d of the chosen rows are not yours to change (%(named)s).",
        len(rows),
    ) % {"count": len(rows), "named": named}


def require_saved_step(request: HttpRequest, event: Event) -> None:
    """Raise PermissionDenied unless the user may bring the stored event to what this instance is.

    Forms offer nothing else and say by the field what they refuse; this holds whatever they forget.
    """
    asked = rights_of(request.user)
    if asked.publishes and asked.unlimited("change"):
        return
    before = EventState.stored(event) if event.pk else None
    require_transition(request.user, before, EventState.of(event))


def require_saved_occasion(request: HttpRequest, occasion: Occasion) -> None:
    """Raise PermissionDenied unless the user may bring the stored occasion to its event."""
    asked = rights_of(request.user)
    if asked.publishes and asked.unlimited("change"):
        return
    stored = Occasion.objects.filter(pk=occasion.pk).select_related("event").first()
    if not asked.may_keep(stored, occasion.event):
        raise PermissionDenied
