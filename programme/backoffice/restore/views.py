"""The history of a row, bringing an earlier state of it back, and what was deleted lately."""

# ruff: noqa: ARG002 - what is overridden may use it

from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import CASCADE, ForeignKey, ProtectedError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.backoffice.restore.replacements import find_replacements
from programme.history import edits, versions
from programme.history.restore import Restoration, before_deletion, plan_restoration
from programme.history.timeline import Names, timeline, title_of
from programme.models import Revision
from programme.models.parsing import parse_int

# Why it was edited, as the history tells it.
BROUGHT_BACK = gettext_noop("brought back")
STEPS_ON_A_PAGE = 30
MOST_DELETED = 100


class HistoryMixin:
    """A model admin that shows what was done to each row, and brings back what was."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        opts = self.model._meta
        name = f"{opts.app_label}_{opts.model_name}"
        return [
            path("deleted/", view(self.deleted_view), name=f"{name}_deleted"),
            path("<int:key>/bring-back/", view(self.bring_back_view), name=f"{name}_bring_back"),
            *super().get_urls(),
        ]

    # --- What was done --------------------------------------------------------------------------

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row, is_gone = self._row(request, parse_int(unquote(object_id)) or 0)
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        page = Paginator(timeline(self.model, row.pk, self.parts()), STEPS_ON_A_PAGE).get_page(
            request.GET.get("p")
        )
        context = {
            **self._context(request, _("History"), row),
            "page": page,
            "is_gone": is_gone,
            "may": self.may_bring_back(request, row, is_gone),
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/programme/history.html", context)

    def _row(self, request: HttpRequest, key: int) -> tuple[Any, bool]:
        """Return the row, as it was last if it is deleted, and whether it is."""
        row = self.get_object(request, str(key))
        if row is not None:
            return row, False
        version = self.model.history.filter(id=key).order_by("history_id").last()
        if version is None:
            raise Http404
        return version.instance, True

    def may_bring_back(self, request: HttpRequest, row: Any, is_gone: bool) -> bool:
        """Return whether the user may bring the row back, or an earlier state of it."""
        may = not is_gone or self.has_add_permission(request)
        return may and self.has_change_permission(request, row)

    def _context(self, request: HttpRequest, title: str, row: Any = None) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.model._meta,
            "original": row,
            "name": title_of(row) if row else "",
        }

    # --- Bringing back --------------------------------------------------------------------------

    def bring_back_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Show what bringing back the state would do, and do it when that is sent back."""
        row, is_gone = self._row(request, key)
        if not self.may_bring_back(request, row, is_gone):
            raise PermissionDenied
        state = self._asked(request, key, is_gone)
        if request.method == "POST":
            # Nobody else saves from here on: what is done is what was shown.
            Revision.objects.select_for_update().first()
        seen = versions.written_state(versions.state_of(self.model, key, self.parts()))
        if request.method == "POST" and seen != request.POST.get("seen"):
            messages.warning(request, _("Someone has saved in the meantime. Look again at what happens."))
        elif request.method == "POST" and self._bring_back(request, key, state):
            return redirect(reverse(f"admin:programme_{self.model._meta.model_name}_change", args=[key]))
        plan = plan_restoration(self.model, key, self.parts(), state)
        context = {
            **self._context(request, _("Bring back this version"), row),
            "plan": plan,
            "allowed": self._is_allowed(request, plan),
            "in_its_place": find_replacements(plan),
            "state": versions.written_state(state),
            "seen": seen,
        }
        return TemplateResponse(request, "admin/programme/bring_back.html", context)

    def _asked(self, request: HttpRequest, key: int, is_gone: bool) -> versions.State:
        """Return the state that is asked for; of what is deleted, else, the last."""
        state = versions.read_state(request.POST.get("state") or request.GET.get("state", ""))
        if not state and is_gone:
            state = before_deletion(self.model, key, self.parts())
        if len(state) != len(self.parts()) + 1:
            raise Http404
        return state

    def require_return(self, request: HttpRequest, plan: Restoration) -> None:
        """Raise PermissionDenied where the user may not do what bringing back would."""

    def may_return(self, request: HttpRequest, row: Any, plan: Restoration) -> bool:
        """Return whether the user may bring back a row that is deleted, as is planned."""
        return self.may_bring_back(request, row, True) and self._is_allowed(request, plan)

    def _is_allowed(self, request: HttpRequest, plan: Restoration) -> bool:
        try:
            self.require_return(request, plan)
        except PermissionDenied:
            return False
        return True

    def _bring_back(self, request: HttpRequest, key: int, state: versions.State) -> bool:
        plan = plan_restoration(self.model, key, self.parts(), state)
        # The page says so.
        return not find_replacements(plan) and self.carry_out(request, plan)

    def carry_out(self, request: HttpRequest, plan: Restoration) -> bool:
        """Bring back what is planned, and say so, or say why it cannot be; return whether it was done."""
        try:
            with transaction.atomic():
                self.require_return(request, plan)
                edits.set_reason(BROUGHT_BACK)
                plan.carry_out()
        except ValidationError as refusal:
            said = _("It cannot be brought back as it was: %(why)s")
            if plan.lost:
                said = _("%(names)s: no longer there. Bring that back first. (%(why)s)")
            messages.error(request, said % {"names": ", ".join(plan.lost), "why": " ".join(refusal.messages)})
        except ProtectedError as refusal:
            named = ", ".join(sorted({str(each) for each in refusal.protected_objects})[:5])
            said = _("It cannot be brought back as it was: in use by %(what)s.")
            messages.error(request, said % {"what": named})
        else:
            messages.success(request, _("The earlier version is back."))
            if plan.lost:
                said = _("No longer there, so left out: %(names)s.")
                messages.warning(request, said % {"names": ", ".join(plan.lost)})
            return True
        return False

    # --- What was deleted -----------------------------------------------------------------------

    def deleted_view(self, request: HttpRequest) -> HttpResponse:
        """List what was deleted and is not there again, the last first."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        there = self.model.objects.values("pk")
        gone = versions.latest_of_each(self.model.history.filter(history_type=versions.DELETED))
        gone = gone.exclude(id__in=there).select_related("edit").order_by("-history_id")[:MOST_DELETED]
        deleted = list(gone)
        names = Names(deleted)
        rows = [
            (
                each,
                self.deleted_name(each, names),
                versions.who(each.edit),
                self.may_bring_back(request, each.instance, True),
            )
            for each in deleted
            if not _went_along(each, names)
        ]
        title = _("Recently deleted: %(kind)s") % {"kind": self.model._meta.verbose_name_plural}
        context = {**self._context(request, str(capfirst(title))), "rows": rows}
        return TemplateResponse(request, "admin/programme/deleted.html", context)

    def deleted_name(self, version: Any, names: Names) -> str:
        return title_of(version)


def _went_along(version: Any, names: Names) -> bool:
    """Return whether a row was deleted with the one that it belonged to, and comes back with it."""
    return any(
        names.is_gone(each.related_model, getattr(version, each.attname))
        for each in version.instance_type._meta.local_fields
        if isinstance(each, ForeignKey) and each.remote_field.on_delete is CASCADE and not each.null
    )
