"""The history of a row, restoring an earlier version of it, and the rows that were deleted lately."""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import CASCADE, ForeignKey, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.changes.confirming import confirm
from programme.backoffice.features import Feature
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rendering import lock_for_sent
from programme.changes.change import Change
from programme.changes.difference import RowNames, format_title
from programme.changes.rights import rights_of
from programme.changes.timeline import build_timeline
from programme.changes.undo import plan_restoration
from programme.history import versions
from programme.history.batches import RETURNING
from programme.models import Event, Occasion
from programme.models.parsing import parse_int

STEPS_ON_A_PAGE = 30
MOST_DELETED = 100


def can_restore(model_admin: ModelAdmin, request: HttpRequest, row: Model, *, is_deleted: bool) -> bool:
    allowed = not is_deleted or model_admin.has_add_permission(request)
    return allowed and model_admin.has_change_permission(request, row)


class History(Feature):
    """Shows the edits of each row, and restores earlier versions and deleted rows.

    Users may restore what they may do by hand.
    """

    def get_urls(self) -> list[URLPattern]:
        return [
            self.path("deleted/", self.deleted_view, "deleted"),
            self.path("<int:key>/bring-back/", self.restore_view, "bring_back"),
            # Instead of Django's.
            self.path("<path:object_id>/history/", self.history_view, "history"),
        ]

    def history_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row, is_deleted = self._find(request, parse_int(unquote(object_id)) or 0)
        if not self.model_admin.has_view_or_change_permission(request, row):
            raise PermissionDenied
        steps = build_timeline(self.model_admin.model, row.pk, self.parts)
        page = Paginator(steps, STEPS_ON_A_PAGE).get_page(request.GET.get("p"))
        may_change = can_restore(self.model_admin, request, row, is_deleted=is_deleted)
        # Whether all of it is theirs to restore is said on the next page.
        offered = [step for step in page if may_change and step is not steps[0]]
        context = {
            "name": format_title(row),
            "page": page,
            "is_deleted": is_deleted,
            "can_restore": may_change and not (is_deleted and self._find_refused(request, [row])),
            "offered": offered,
            "returning": RETURNING,
        }
        return self.render(request, "history", _("History"), row, context)

    def _find_refused(self, request: HttpRequest, deleted: Iterable[Any]) -> set[int | None]:
        """Return the IDs of deleted rows that the user may not bring back as they were."""
        model = self.model_admin.model
        rows = [Change(model, each.id, None, versions.read_state(each)) for each in deleted]
        return {row.key for row in rights_of(request.user).find_forbidden(rows)}

    def _find(self, request: HttpRequest, key: int) -> tuple[Any, bool]:
        row = self.model_admin.get_object(request, str(key))
        if row is not None:
            return row, False
        version = self.model_admin.model.history.filter(id=key).order_by("history_id").last()
        if version is None:
            raise Http404
        return version.instance, True

    # --- Restoring ------------------------------------------------------------------------------

    def restore_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Show what restoring a version would do; do it when that is confirmed."""
        model = self.model_admin.model
        row, is_deleted = self._find(request, key)
        if not can_restore(self.model_admin, request, row, is_deleted=is_deleted):
            raise PermissionDenied
        state = self._requested_state(request, key, is_deleted=is_deleted)
        lock_for_sent(request)
        opts = self.model_admin.opts
        address = reverse(f"admin:programme_{opts.model_name}_history", args=[key])
        words = {
            "opts": opts,
            "title": _("Restore this version"),
            "button": _("Restore it"),
            "nothing": _("There is nothing to restore: everything is as it was then, or stays as it is."),
            "back": address,
            "sent": [("state", versions.format_state(state))],
            "done": _("The earlier version is restored."),
            "up": (address, format_title(row)),
        }
        plan = plan_restoration(model, key, self.parts, state)
        form = reverse(f"admin:programme_{opts.model_name}_change", args=[key])
        return confirm(request, plan, words, lambda _edit: form)

    def _requested_state(self, request: HttpRequest, key: int, *, is_deleted: bool) -> versions.State:
        """Return the state to restore, by default the last one of a deleted row."""
        state = versions.parse_state(request.POST.get("state") or request.GET.get("state", ""))
        if not state and is_deleted:
            state = versions.find_state_before_deletion(self.model_admin.model, key, self.parts)
        if len(state) != len(self.parts) + 1:
            raise Http404
        return state

    # --- Deleted rows ---------------------------------------------------------------------------

    def deleted_view(self, request: HttpRequest) -> HttpResponse:
        if not self.model_admin.has_view_or_change_permission(request):
            raise PermissionDenied
        model = self.model_admin.model
        gone = versions.select_latest(model.history.filter(history_type=versions.DELETED))
        gone = gone.exclude(id__in=model.objects.values("pk")).select_related("edit")
        deleted = list(gone.order_by("-history_id")[:MOST_DELETED])
        names, refused = RowNames(deleted), self._find_refused(request, deleted)
        rows = [
            (
                version,
                describe_deleted(version, names),
                versions.format_editor(version.edit),
                version.id not in refused
                and can_restore(self.model_admin, request, version.instance, is_deleted=True),
            )
            for version in deleted
            if not _is_part_of_deleted(version, names)
        ]
        title = _("Recently deleted: %(kind)s") % {"kind": self.model_admin.opts.verbose_name_plural}
        return self.render(request, "deleted", str(capfirst(title)), None, {"rows": rows})


def describe_deleted(version: Any, names: RowNames) -> str:
    title = format_title(version)
    if version.instance_type is Occasion:
        return f"{names.find(Event, version.event_id)}, {title}"
    return title


def _is_part_of_deleted(version: Any, names: RowNames) -> bool:
    return any(
        names.is_deleted(field.related_model, getattr(version, field.attname))
        for field in version.instance_type._meta.local_fields
        if isinstance(field, ForeignKey) and field.remote_field.on_delete is CASCADE and not field.null
    )
