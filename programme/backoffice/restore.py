"""The history of a row, restoring an earlier version of it, and the rows that were deleted lately."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import CASCADE, ForeignKey, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.changes.messages import report_batch
from programme.backoffice.changes.notifying import NotificationForm, ask_readers
from programme.backoffice.changes.rows import list_planned, list_staying
from programme.backoffice.changes.undoing import find_refused
from programme.backoffice.features import Feature
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rendering import lock_for_sent
from programme.backoffice.rights import rights_of
from programme.history import edits, versions
from programme.history.batches import RowState, list_attributes
from programme.history.timeline import RowNames, TimelineStep, build_timeline, format_title
from programme.history.undo import RESTORED, RowsPlan, apply_undo, plan_restoration, turn_back
from programme.models import Event, Occasion
from programme.models.parsing import parse_int

STEPS_ON_A_PAGE = 30
MOST_DELETED = 100


def read_state(model: Any, version: Any) -> RowState:
    return version and {name: getattr(version, name) for name in list_attributes(model)}


def can_restore(model_admin: ModelAdmin, request: HttpRequest, row: Model, *, is_deleted: bool) -> bool:
    allowed = not is_deleted or model_admin.has_add_permission(request)
    return allowed and model_admin.has_change_permission(request, row)


def carry_out(request: HttpRequest, plan: RowsPlan, form: NotificationForm | None = None) -> bool:
    """Restore what is planned, and tell readers as the valid form says; return whether that succeeded."""
    if form and not form.is_valid():
        return False
    if form:
        edits.set_telling(form.build_telling(form.told))
    try:
        with transaction.atomic():
            edits.set_reason(RESTORED)
            apply_undo(plan)
    except IntegrityError as refusal:
        why = str(refusal).partition("\n")[0]
        messages.error(request, _("It cannot be restored as it was: %(why)s") % {"why": why})
        return False
    report_batch(request, _("The earlier version is restored."))
    return True


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
        offered = [step for step in page if may_change and self._may_restore(request, step, steps[0])]
        context = {
            "name": format_title(row),
            "page": page,
            "is_deleted": is_deleted,
            "can_restore": may_change and not (is_deleted and self._find_refused(request, [row])),
            "offered": offered,
        }
        return self.render(request, "history", _("History"), row, context)

    def _may_restore(self, request: HttpRequest, step: TimelineStep, latest: TimelineStep) -> bool:
        """Return whether the user is offered to restore what was there after a step."""
        if step is latest or rights_of(request.user).is_unlimited:
            return step is not latest
        rows = [
            turn_back(*place, *(read_state(place[0], each.present.get(place)) for each in (step, latest)))
            for place in latest.present
        ]
        return not find_refused(request, RowsPlan(rows))

    def _find_refused(self, request: HttpRequest, deleted: Iterable[Any]) -> set[int]:
        """Return the IDs of deleted rows that the user may not bring back as they were."""
        model = self.model_admin.model
        rows = [turn_back(model, each.id, read_state(model, each), None) for each in deleted]
        return {row.key for row in find_refused(request, RowsPlan(rows))}

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
        plan = plan_restoration(model, key, self.parts, state)
        refused = find_refused(request, plan)
        form, is_shown = ask_readers(request, plan)
        if is_shown and refused:
            raise PermissionDenied
        if is_shown and plan.written and carry_out(request, plan, form):
            return redirect(reverse(f"admin:programme_{self.model_admin.opts.model_name}_change", args=[key]))
        context = {
            "name": format_title(row),
            "rows": list_planned(plan.written),
            "staying": list_staying(plan.staying),
            "staying_count": len(plan.staying),
            "is_refused": bool(refused),
            "state": versions.format_state(state),
            "seen": plan.digest,
            "form": form,
        }
        return self.render(request, "restore", _("Restore this version"), row, context)

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
