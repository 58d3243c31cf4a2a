"""Actions on selected rows of the lists of events and occasions."""
# ruff: noqa: ARG001 - Django's hooks say which arguments there are

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

from programme.api.instant import get_instant
from programme.backoffice.admin.confirm_action import Action, Offer, confirm_action
from programme.backoffice.admin.news import NewsForm, find_occasions, offer_news
from programme.backoffice.admin.reader_messages import READERS_SEE_IT, link_pages
from programme.backoffice.bulk.views import Selection, open_page
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.export import build_attachment
from programme.backoffice.forms.doubts import KnownDays
from programme.backoffice.news.forgetting import forget_withdrawn, offer_forgetting
from programme.exchange.exports.sheet import EXPORTS, ExportError
from programme.history import edits
from programme.models import Event, Occasion, Status

# --- Setting fields -----------------------------------------------------------------------------


def set_fields(
    name: str,
    description: Any,
    reason: str,
    *,
    after: Any = None,
    offer: Offer | None = None,
    **values: Any,
) -> Action:
    """Return an action that sets fields of the rows that do not have these values yet.

    `reason` names the edit, before the number of rows: in the message and in the history. `after` gets the
    request, the keys of all selected rows, and those of the changed ones; it returns what the message is to
    say beside their number.
    """

    # Whoever may change the status publishes.
    @admin.action(description=description, permissions=["publish" if "status" in values else "change"])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], _form: Any = None) -> None:
        changing = queryset.exclude(**values)
        keys = [list(rows.values_list("pk", flat=True)) for rows in (queryset, changing)] if after else []
        count = changing.update(**values)
        edits.set_reason(reason, str(count))
        report_count(request, count, reason, after(request, *keys) if after else "")

    action.__name__ = name
    return confirm_action(action, offer)


def set_cancelled(cancelled: bool, reason: str) -> Action:
    """Return an action that cancels or reinstates occasions, of events those to come, and offers news."""
    description = _("Cancel (stays in the programme, marked)") if cancelled else _("Reinstate")

    @admin.action(description=description, permissions=["change"])
    def action(
        model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: NewsForm | None = None
    ) -> None:
        changing = find_occasions(request, queryset).exclude(cancelled=cancelled)
        keys = list(changing.values_list("pk", flat=True))
        seen = Occasion.objects.filter(pk__in=keys if cancelled else [], event__status=Status.PUBLISHED)
        known = list(seen.select_related("event"))
        Occasion.objects.filter(pk__in=keys).update(cancelled=cancelled)
        edits.set_reason(reason, str(len(keys)))
        if form:
            edits.set_telling(form.build_telling())
        report_count(request, len(keys), reason, link_pages(request, READERS_SEE_IT, known))

    action.__name__ = "cancel" if cancelled else "reinstate"
    return confirm_action(action, offer=offer_news(cancelled))


def report_count(request: HttpRequest, count: int, reason: str, remark: str = "") -> None:
    """Say `Cancelled events: 3.`, and the remark."""
    if count:
        text = f"{capfirst(translation.gettext(reason))} {count}."
        report_batch(request, format_html("{} {}", text, remark) if remark else text)
    else:
        messages.info(request, remark or _("Nothing had to be changed."))


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


def describe_doubts(request: HttpRequest, drafts: QuerySet[Event]) -> SafeString:
    """Return the questions whether days of drafts are right, '' without any."""
    known = KnownDays.load(get_instant(request))
    occasions = Occasion.objects.filter(event__in=drafts.order_by().values("pk")).select_related("event")
    doubts = [(each.event, doubt) for each in occasions if (doubt := known.question(each))]
    return format_html_join(" ", "{}: {}", doubts)


def ask_before_publishing(request: HttpRequest, events: QuerySet[Event]) -> forms.Form | None:
    """Return a form that names what drafts are to wait for and days that look wrong, None without any."""
    drafts = events.filter(status=Status.DRAFT)
    planned = drafts.filter(plan__missed="").count()
    waiting = ngettext(
        "%(count)d event is planned for later, and would be published now.",
        "%(count)d events are planned for later, and would be published now.",
        planned,
    )
    form: Any = forms.Form(request.POST)
    said = [waiting % {"count": planned} if planned else "", describe_doubts(request, drafts)]
    form.consequence = format_html_join(" ", "{}", [(text,) for text in said if text])
    return form if form.consequence else None


publish = set_fields(
    "publish",
    _("Publish"),
    gettext_noop("published events:"),
    after=report_published,
    offer=ask_before_publishing,
    status=Status.PUBLISHED,
)
withdraw = set_fields(
    "withdraw",
    _("Withdraw (back to draft)"),
    gettext_noop("withdrew events:"),
    after=forget_withdrawn,
    offer=offer_forgetting,
    status=Status.DRAFT,
)
highlight = set_fields("highlight", _("Highlight"), gettext_noop("highlighted events:"), highlighted=True)
remove_highlight = set_fields(
    "remove_highlight",
    _("Remove highlight"),
    gettext_noop("removed the highlight of events:"),
    highlighted=False,
)
cancel = set_cancelled(True, gettext_noop("cancelled occasions:"))
reinstate = set_cancelled(False, gettext_noop("reinstated occasions:"))


# --- Sheets and the bulk edit -------------------------------------------------------------------


def export_as(extension: str, description: Any) -> Any:
    sheet = EXPORTS[extension]

    @admin.action(description=description, permissions=["view"])
    def export(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponseBase | None:
        # Without the annotations of the list.
        events = Event.objects.filter(pk__in=list(queryset.order_by().values_list("pk", flat=True)))
        try:
            return build_attachment(sheet, events, get_instant(request))
        except ExportError as error:
            messages.error(request, str(error))
            return None

    export.__name__ = f"export_{extension}"
    return export


export_xlsx = export_as("xlsx", _("Export as Excel (XLSX)"))
export_csv = export_as("csv", _("Export as CSV"))


# By the field of the page in which the cursor is: also the buttons of an event's form.
CHANGES = {"place": _("Change place"), "shift": _("Move"), "booking": _("Booking")}


def open_with(field: str, description: Any) -> Any:
    """Return an action that opens the page with the cursor in a field; of events for occasions to come."""

    @admin.action(description=description, permissions=["change"])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        occasions = list(find_occasions(request, queryset).values_list("pk", flat=True))
        if occasions:
            return open_page(request, Selection(occasions), field)
        messages.warning(request, _("None of these events has an occasion that is not over."))
        return None

    action.__name__ = f"change_{field}"
    return action


change_occasions = [open_with(*each) for each in CHANGES.items()]


# The page shows which rows the user may not change.
@admin.action(description=_("Change many … (area, type, language, news)"), permissions=["view"])
def change_events(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
    events = list(queryset.values_list("pk", flat=True))
    occasions = list(Occasion.objects.filter(event__in=events).values_list("pk", flat=True))
    return open_page(request, Selection(occasions, events))
