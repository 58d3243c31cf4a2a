"""Actions on selected rows of the lists of events and occasions."""
# ruff: noqa: ARG001 - Django's hooks say which arguments there are

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, ngettext_lazy, override

from programme.api.instant import get_instant
from programme.backoffice.admin.confirm_action import Action, confirm_action
from programme.backoffice.changes.messages import report_batch
from programme.models import Event, Status


def set_fields(
    name: str, description: Any, done: Any, *, needs: str = "change", after: Any = None, **values: Any
) -> Action:
    """Return an action that sets fields of the rows that do not have these values yet.

    `done` is a lazy plural with %(count)d. `after` gets the request and the keys of all selected rows.
    """

    @admin.action(description=description, permissions=[needs])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        keys = list(queryset.values_list("pk", flat=True)) if after else []
        changing = queryset.exclude(**values)
        with transaction.atomic():
            log_changes(request, changing, *values)
            count = changing.update(**values)
        report_count(request, count, done)
        if after:
            after(request, keys)

    action.__name__ = name
    return confirm_action(action)


def log_changes(request: HttpRequest, queryset: QuerySet[Any], *fields: str) -> None:
    with override(None):
        # The log is stored in the source language and translated where it is shown.
        labels = [str(queryset.model._meta.get_field(field).verbose_name) for field in fields]
    log_rows(request, list(queryset), CHANGE, {"changed": {"fields": labels}})


def log_rows(request: HttpRequest, rows: list[Any], flag: int, message: dict[str, Any]) -> None:
    LogEntry.objects.log_actions(request.user.pk, rows, flag, [message])  # type: ignore[arg-type]  # is logged in


def report_count(request: HttpRequest, count: int, done: Any) -> None:
    if count:
        report_batch(request, done % {"count": count})
    else:
        messages.info(request, _("Nothing had to be changed."))


def warn_of_unseen(request: HttpRequest, keys: list[int]) -> None:
    unseen = Event.objects.filter(pk__in=keys, occasions=None).count()
    if unseen:
        text = ngettext(
            "%(count)d event has no occasion yet, so readers do not see it.",
            "%(count)d events have no occasion yet, so readers do not see them.",
            unseen,
        )
        messages.warning(request, text % {"count": unseen})


publish = set_fields(
    "publish",
    _("Publish"),
    ngettext_lazy("%(count)d event was published.", "%(count)d events were published.", "count"),
    needs="publish",
    after=warn_of_unseen,
    status=Status.PUBLISHED,
)
withdraw = set_fields(
    "withdraw",
    _("Withdraw (back to draft)"),
    ngettext_lazy("%(count)d event was withdrawn.", "%(count)d events were withdrawn.", "count"),
    needs="publish",
    status=Status.DRAFT,
)
highlight = set_fields(
    "highlight",
    _("Highlight"),
    ngettext_lazy("%(count)d event was highlighted.", "%(count)d events were highlighted.", "count"),
    highlighted=True,
)
remove_highlight = set_fields(
    "remove_highlight",
    _("Remove highlight"),
    ngettext_lazy(
        "%(count)d event is no longer highlighted.", "%(count)d events are no longer highlighted.", "count"
    ),
    highlighted=False,
)
cancel_events = set_fields(
    "cancel",
    _("Cancel (stays in the programme, marked)"),
    ngettext_lazy("%(count)d event was cancelled.", "%(count)d events were cancelled.", "count"),
    cancelled=True,
)
reinstate_events = set_fields(
    "reinstate",
    _("Reinstate"),
    ngettext_lazy("%(count)d event was reinstated.", "%(count)d events were reinstated.", "count"),
    cancelled=False,
)
cancel_occasions = set_fields(
    "cancel",
    _("Cancel (stays in the programme, marked)"),
    ngettext_lazy("%(count)d occasion was cancelled.", "%(count)d occasions were cancelled.", "count"),
    cancelled=True,
)
reinstate_occasions = set_fields(
    "reinstate",
    _("Reinstate"),
    ngettext_lazy("%(count)d occasion was reinstated.", "%(count)d occasions were reinstated.", "count"),
    cancelled=False,
)


@confirm_action
@admin.action(description=_("Mark as changed (without a note)"), permissions=["change"])
def mark_changed(model_admin: Any, request: HttpRequest, queryset: Any) -> None:
    with transaction.atomic():
        log_changes(request, queryset, "changed_at")
        count = queryset.mark_changed("", get_instant(request))
    done = ngettext_lazy(
        "%(count)d event was marked as changed.", "%(count)d events were marked as changed.", "count"
    )
    report_count(request, count, done)
