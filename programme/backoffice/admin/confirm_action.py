"""Actions that plan, which are confirmed first on a page that says of how many rows."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_NAMED = 10
# The number of rows on the page, which it sends.
CONFIRMED = "sure_of"
READERS_SEE_IT = gettext_lazy("Readers see it at once where they are published.")

Action = Callable[..., HttpResponse | None]
# Returns the form with which the page asks.
Offer = Callable[[HttpRequest, QuerySet[Any]], Any]


def confirm_action(action: Action, offer: Offer) -> Action:
    """Return an action that asks for confirmation with a form, which it gets as its last argument."""

    @wraps(action)
    def confirmed(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        form = offer(request, queryset)
        # The number has changed where somebody has added or edited rows meanwhile.
        if request.POST.get(CONFIRMED) != str(queryset.count()) or not form.is_valid():
            return ask_to_confirm(model_admin, request, queryset, form)
        return action(model_admin, request, queryset, form)

    return confirmed


def list_sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what a page of an action sends: the list selects the rows again, by its own address."""
    return [
        *((ACTION_CHECKBOX_NAME, key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)),
        ("action", request.POST.get("action", "")),
        ("index", "0"),
        ("select_across", request.POST.get("select_across", "0")),
    ]


def ask_to_confirm(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: Any
) -> HttpResponse:
    """Return the page, which sends the action once more, with the number of its rows."""
    count = queryset.count()
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Are you sure?"),
        "opts": model_admin.opts,
        "what": model_admin.get_actions(request)[request.POST.get("action", "")][2],
        "consequence": form.consequence,
        "form": form,
        "count": count,
        "rows": list(queryset[:MOST_NAMED]),
        "unnamed": max(0, count - MOST_NAMED),
        "sent": [*list_sent(request), (CONFIRMED, str(count))],
    }
    return TemplateResponse(request, "admin/programme/confirm_action.html", context)
