"""Actions on selected rows of the lists of events and occasions."""
# ruff: noqa: ARG001 - Django's hooks say which arguments there are

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.api.instant import get_instant
from programme.backoffice.admin.reader_messages import READERS_SEE_IT, link_pages
from programme.backoffice.bulk import events, lists, occasions
from programme.backoffice.bulk.operation import Operation
from programme.backoffice.changes.confirming import SHOW, confirm, is_confirmed
from programme.backoffice.changes.wording import count_rows
from programme.backoffice.export import build_attachment
from programme.backoffice.forms.base import build_search_media
from programme.backoffice.rendering import choose_back, let_return, render_page
from programme.changes.change import Plan
from programme.changes.rights import rights_of
from programme.exchange.exports.sheet import EXPORTS, ExportError
from programme.models import Event, Revision

# --- Operations ---------------------------------------------------------------------------------


def offer_operation(name: str, operation: type[Operation]) -> Any:
    """Return the action that asks what an operation asks, shows its plan, and writes it."""

    @admin.action(description=operation.describe(), permissions=[operation.permission])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        if is_confirmed(request):
            # What is done is what was shown.
            Revision.lock()
        keys = list(queryset.order_by().values_list("pk", flat=True))
        rows = operation.load(queryset.model, keys, get_instant(request))
        if not rows:
            messages.warning(request, _("None of these events has an occasion that is not over."))
            return None
        return show_operation(model_admin, request, operation, rows)

    action.__name__ = name
    return action


def show_operation(
    model_admin: Any, request: HttpRequest, operation: type[Operation], rows: list[Any]
) -> HttpResponse:
    is_sent = not operation.asks or SHOW in request.POST or is_confirmed(request)
    form = operation(request.POST if is_sent else None, rows, rights_of(request.user), get_instant(request))
    chosen = count_rows(type(rows[0]), len(rows))
    # The list, with its filters, or the form that has ticked rows.
    back = choose_back(request.POST.get("back", "")) or request.get_full_path()
    words: dict[str, Any] = {
        "opts": model_admin.opts,
        "media": build_search_media(),
        "title": f"{capfirst(form.verb)}: {chosen}",
        "asked": form,
        "note": gettext_lazy("A few words for readers. The former time and place are shown anyway."),
        "nothing": _("Nothing had to be changed."),
        "back": back,
        # The list selects the rows again, by its own address: a form has no room for so many keys.
        "sent": [
            *((ACTION_CHECKBOX_NAME, key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)),
            ("action", request.POST.get("action", "")),
            ("index", "0"),
            ("select_across", request.POST.get("select_across", "0")),
            ("back", back),
        ],
    }
    if not form.is_valid():
        autofocus(form)
        return let_return(request, render_page(request, "changes/plan", words["title"], words))
    plan = form.build_plan()
    words["button"] = f"{capfirst(form.verb)}: {count_rows(type(rows[0]), form.count(plan))}"
    words["done"] = partial(report, request, form, plan)
    words["about"] = form.about
    return confirm(request, plan, words, lambda _edit: back)


def autofocus(form: Operation) -> None:
    """Put the cursor into the first field, or the first that was refused."""
    name = next((each for each in form.fields if each in form.errors), next(iter(form.fields)))
    form.fields[name].widget.attrs["autofocus"] = True


def report(request: HttpRequest, form: Operation, plan: Plan) -> str:
    """Return what is said when it is done, with links to pages."""
    pages = link_pages(request, READERS_SEE_IT, form.pages)
    return format_html("{} {}", form.report(plan), pages) if pages else form.report(plan)


_OF_EVENTS: dict[str, type[Operation]] = {
    "publish": events.Publish,
    "publish_at": events.PublishAt,
    "withdraw": events.Withdraw,
    "withdraw_at": events.WithdrawAt,
    "highlight": events.Highlight,
    "remove_highlight": events.RemoveHighlight,
    "change_events": events.ChangeEvents,
}
_OF_OCCASIONS: dict[str, type[Operation]] = {
    "cancel": occasions.Cancel,
    "reinstate": occasions.Reinstate,
    "move": occasions.Move,
    "place": occasions.ChangePlace,
    "booking": occasions.Book,
    "inform": occasions.Inform,
}
_OF_LISTS: dict[str, type[Operation]] = {"put_on_list": lists.PutOnList, "take_from_list": lists.TakeFromList}
# Of events those occasions are changed that are not over.
of_occasions = [offer_operation(*each) for each in (_OF_OCCASIONS | _OF_LISTS).items()]
of_events = [*(offer_operation(*each) for each in _OF_EVENTS.items()), *of_occasions]
# The buttons above the occasions in the form of an event, for those that are ticked.
TICKED = {name: each.verb for name, each in _OF_OCCASIONS.items()}


# --- Sheets -------------------------------------------------------------------------------------


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


export_xlsx = export_as("xlsx", gettext_lazy("Export as Excel (XLSX)"))
export_csv = export_as("csv", gettext_lazy("Export as CSV"))
