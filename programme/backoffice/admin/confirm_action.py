"""Actions on many rows, which are confirmed first on a page that says how many rows they change."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# So many are selected one by one; more, by one click.
FEW = 20
MOST_NAMED = 10
# The number of rows on the page, which it sends.
CONFIRMED = "sure_of"

Action = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]

READERS_SEE_IT = gettext_lazy("Readers see it at once where they are published.")


def confirm_action(action: Action, *, consequence: Any = READERS_SEE_IT) -> Action:
    """Return an action that asks for confirmation where it changes many rows, and says what follows."""

    @wraps(action)
    def confirmed(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        count = queryset.count()
        if count <= FEW:
            return action(model_admin, request, queryset)
        # The number has changed: somebody has added or edited rows meanwhile.
        if request.POST.get(CONFIRMED) != str(count):
            return _page(model_admin, request, queryset, count, consequence)
        return action(model_admin, request, queryset)

    return confirmed


def _page(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], count: int, consequence: Any
) -> HttpResponse:
    name = request.POST.get("action", "")
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Are you sure?"),
        "opts": model_admin.model._meta,
        "what": model_admin.get_actions(request)[name][2],
        "consequence": consequence,
        "count": count,
        "rows": list(queryset[:MOST_NAMED]),
        "unnamed": count - MOST_NAMED,
        # The list selects them again, by its own address: a form has no room for so many keys.
        "sent": [
            *((ACTION_CHECKBOX_NAME, key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)),
            ("action", name),
            ("index", "0"),
            ("select_across", request.POST.get("select_across", "0")),
            (CONFIRMED, str(count)),
        ],
    }
    return TemplateResponse(request, "admin/programme/confirm_action.html", context)
