"""Actions on selected rows of the lists of events and occasions."""
# ruff: noqa: ARG001 - Django's hooks say which arguments there are

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext, ngettext_lazy, override

from programme.backoffice.admin.confirm_action import Action, confirm_action
from programme.backoffice.admin.news import NewsForm, offer_news, offer_news_always, published
from programme.backoffice.admin.reader_messages import (
    READERS_SEE_IT,
    link_pages,
    report_news_of_event,
    report_reinstated,
)
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.forms.news import Tell
from programme.history import edits
from programme.models import Event, Occasion, Status


def set_fields(
    name: str, description: Any, done: Any, reason: str, *, after: Any = None, **values: Any
) -> Action:
    """Return an action that sets fields of the rows that do not have these values yet.

    `done` is a lazy plural with %(count)d, `reason` names the edit in the history, before the number of rows.
    `after` gets the request, the keys of all selected rows, and those of the changed ones; it returns what
    the message is to say beside their number.
    """

    # Whoever may change the status publishes.
    @admin.action(description=description, permissions=["publish" if "status" in values else "change"])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        changing = queryset.exclude(**values)
        keys = [list(rows.values_list("pk", flat=True)) for rows in (queryset, changing)] if after else []
        with transaction.atomic():
            log_changes(request, changing, *values)
            count = changing.update(**values)
        edits.set_reason(reason, str(count))
        remark = after(request, *keys) if after else ""
        report_count(request, count, done, remark)

    action.__name__ = name
    return confirm_action(action)


def set_cancelled(cancelled: bool, description: Any, done: Any, reason: str) -> Action:
    """Return an action that cancels or reinstates, and offers news about it.

    `reason` names the edit in the history, before the number of rows.
    """

    @admin.action(description=description, permissions=["change"])
    def action(
        model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: NewsForm | None = None
    ) -> None:
        changing = queryset.exclude(cancelled=cancelled)
        with transaction.atomic():
            log_changes(request, changing, "cancelled")
            keys = [row.pk for row in changing]
            count = len(keys)
            known = list(changing.filter(published(changing.model))) if cancelled else []
            if form:
                form.save(request, cancelled=cancelled)
            # The others have no readers; their notes go with the cancellation, too.
            keeps = cancelled or (form is not None and form.news.tell == Tell.KEEP)
            changing.update(cancelled=cancelled, **({} if keeps else {"change_info": ""}))
        edits.set_reason(reason, str(count))
        seen = link_pages(request, READERS_SEE_IT, known)
        report_count(request, count, done, seen or (form.remark if form else ""))
        if changing.model is Occasion and not (cancelled or (form and form.news.is_announced)):
            report_reinstated(request, keys)

    action.__name__ = "cancel" if cancelled else "reinstate"
    offered = [Tell.NOTHING] if cancelled else [Tell.NOTHING, Tell.CLEAR, Tell.KEEP]
    return confirm_action(action, offer=offer_news(*offered, cancelled=cancelled))


def log_changes(request: HttpRequest, queryset: QuerySet[Any], *fields: str) -> None:
    with override(None):
        # The log is stored in the source language and translated where it is shown.
        labels = [str(queryset.model._meta.get_field(field).verbose_name) for field in fields]
    log_rows(request, list(queryset), CHANGE, {"changed": {"fields": labels}})


def log_rows(request: HttpRequest, rows: list[Any], flag: int, message: dict[str, Any]) -> None:
    LogEntry.objects.log_actions(request.user.pk, rows, flag, [message])  # type: ignore[arg-type]  # is logged in


def report_count(request: HttpRequest, count: int, done: Any, remark: str = "") -> None:
    if count:
        text = done % {"count": count}
        report_batch(request, format_html("{} {}", text, remark) if remark else text)
    else:
        messages.info(request, _("Nothing had to be changed."))


def report_published(request: HttpRequest, keys: list[int], changed: list[int]) -> str:
    unseen = Event.objects.filter(pk__in=keys, occasions=None).count()
    if unseen:
        text = ngettext(
            "%(count)d event has no occasion yet, so readers do not see it.",
            "%(count)d events have no occasion yet, so readers do not see them.",
            unseen,
        )
        messages.warning(request, text % {"count": unseen})
    return link_pages(request, READERS_SEE_IT, list(Event.objects.filter(pk__in=changed)))


publish = set_fields(
    "publish",
    _("Publish"),
    ngettext_lazy("%(count)d event was published.", "%(count)d events were published.", "count"),
    gettext_noop("published events:"),
    after=report_published,
    status=Status.PUBLISHED,
)
withdraw = set_fields(
    "withdraw",
    _("Withdraw (back to draft)"),
    ngettext_lazy("%(count)d event was withdrawn.", "%(count)d events were withdrawn.", "count"),
    gettext_noop("withdrew events:"),
    status=Status.DRAFT,
)
highlight = set_fields(
    "highlight",
    _("Highlight"),
    ngettext_lazy("%(count)d event was highlighted.", "%(count)d events were highlighted.", "count"),
    gettext_noop("highlighted events:"),
    highlighted=True,
)
remove_highlight = set_fields(
    "remove_highlight",
    _("Remove highlight"),
    ngettext_lazy(
        "%(count)d event is no longer highlighted.", "%(count)d events are no longer highlighted.", "count"
    ),
    gettext_noop("removed the highlight of events:"),
    highlighted=False,
)
cancel_events = set_cancelled(
    True,
    _("Cancel (stays in the programme, marked)"),
    ngettext_lazy("%(count)d event was cancelled.", "%(count)d events were cancelled.", "count"),
    gettext_noop("cancelled events:"),
)
reinstate_events = set_cancelled(
    False,
    _("Reinstate"),
    ngettext_lazy("%(count)d event was reinstated.", "%(count)d events were reinstated.", "count"),
    gettext_noop("reinstated events:"),
)
cancel_occasions = set_cancelled(
    True,
    _("Cancel (stays in the programme, marked)"),
    ngettext_lazy("%(count)d occasion was cancelled.", "%(count)d occasions were cancelled.", "count"),
    gettext_noop("cancelled occasions:"),
)
reinstate_occasions = set_cancelled(
    False,
    _("Reinstate"),
    ngettext_lazy("%(count)d occasion was reinstated.", "%(count)d occasions were reinstated.", "count"),
    gettext_noop("reinstated occasions:"),
)


def set_news(done: Any, reason: str) -> Action:
    """Return an action that marks rows, or their events, as changed."""

    @admin.action(description=_("Tell readers … (a note on a change)"), permissions=["change"])
    def mark_changed(
        model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: NewsForm | None = None
    ) -> None:
        count = 0
        if form:
            log_changes(request, form.rows, "changed_at")
            form.save(request)
            count = form.rows.count()
            edits.set_reason(reason, str(count))
        report_count(request, count, done)
        _tell_of_drafts(request, queryset.count() - count)

    return confirm_action(mark_changed, offer=offer_news_always)


def _tell_of_drafts(request: HttpRequest, count: int) -> None:
    if count:
        text = ngettext(
            "%(count)d is a draft: there is nothing to tell readers of it.",
            "%(count)d are drafts: there is nothing to tell readers of them.",
            count,
        )
        messages.warning(request, text % {"count": count})


mark_events = set_news(
    ngettext_lazy(
        "%(count)d event was marked as changed.", "%(count)d events were marked as changed.", "count"
    ),
    gettext_noop("news about events:"),
)
mark_occasions = set_news(
    ngettext_lazy(
        "%(count)d occasion was marked as changed.", "%(count)d occasions were marked as changed.", "count"
    ),
    gettext_noop("news about occasions:"),
)


@confirm_action
@admin.action(description=_("Remove the news (also about single occasions)"), permissions=["change"])
def clear_events(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
    occasions = Occasion.objects.filter(event__in=list(queryset.values_list("pk", flat=True))).marked()
    with_news = Q(pk__in=queryset.model.objects.marked().values("pk")) | Q(pk__in=occasions.values("event"))
    events = Event.objects.filter(pk__in=list(queryset.filter(with_news).values_list("pk", flat=True)))
    with transaction.atomic():
        log_changes(request, events, "changed_at")
        count = events.count()
        events.clear_marks()
        occasions.clear_marks()
    edits.set_reason(gettext_noop("news removed from events:"), str(count))
    done = ngettext_lazy(
        "%(count)d event is no longer marked as changed.",
        "%(count)d events are no longer marked as changed.",
        "count",
    )
    report_count(request, count, done)


@confirm_action
@admin.action(description=_("Remove the news"), permissions=["change"])
def clear_occasions(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
    occasions = Occasion.objects.filter(pk__in=list(queryset.values_list("pk", flat=True)))
    with transaction.atomic():
        log_changes(request, occasions.marked(), "changed_at")
        count = occasions.clear_marks()
    edits.set_reason(gettext_noop("news removed from occasions:"), str(count))
    done = ngettext_lazy(
        "%(count)d occasion is no longer marked as changed.",
        "%(count)d occasions are no longer marked as changed.",
        "count",
    )
    report_count(request, count, done)
    report_news_of_event(request, occasions)
