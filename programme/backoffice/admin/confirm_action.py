"""Actions that are asked about first, on a page that says how many rows they take, where those are many."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

# So many are chosen one by one; more come by one click.
FEW = 20
MOST_NAMED = 10
# Sent by the page: how many it said.
SURE = "sure_of"

Action = Callable[[Any, HttpRequest, QuerySet], HttpResponse | None]


def confirm_action(action: Callable[[Any, HttpRequest, QuerySet], None]) -> Action:
    """Return an action that asks where it would take many rows, and then says how to take it back."""

    @wraps(action)
    def asking(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        count = queryset.count()
        if count <= FEW:
            return action(model_admin, request, queryset)
        # Another number than was said: somebody has added or changed what was chosen.
        if request.POST.get(SURE) != str(count):
            return _page(model_admin, request, queryset, count)
        action(model_admin, request, queryset)
        messages.info(
            request,
            _("To take it back, do the opposite with the same choice, or open one: its history undoes it."),
        )
        return None

    return asking


def _page(model_admin: Any, request: HttpRequest, queryset: QuerySet, count: int) -> HttpResponse:
    name = request.POST.get("action", "")
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Are you sure?"),
        "opts": model_admin.model._meta,
        "what": model_admin.get_actions(request)[name][2],
        "count": count,
        "rows": list(queryset[:MOST_NAMED]),
        "unnamed": count - MOST_NAMED,
        # The list chooses once more, by its own address: so many keys fit no form.
        "sent": [
            *((ACTION_CHECKBOX_NAME, key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)),
            ("action", name),
            ("index", "0"),
            ("select_across", request.POST.get("select_across", "0")),
            (SURE, str(count)),
        ],
    }
    return TemplateResponse(request, "admin/programme/confirm_action.html", context)
