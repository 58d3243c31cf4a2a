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
READERS_SEE_IT = gettext_lazy("Readers see it at once where they are published.")

Action = Callable[..., HttpResponse | None]
# Returns a form, with which the page asks however few rows there are, or None.
Offer = Callable[[HttpRequest, QuerySet[Any]], Any]


def confirm_action(action: Action, offer: Offer | None = None) -> Action:
    """Return an action that asks for confirmation where it changes many rows or offers a form.

    The action gets the form as its last argument.
    """

    @wraps(action)
    def confirmed(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        count = queryset.count()
        form = offer(request, queryset) if offer else None
        if count <= FEW and form is None:
            return action(model_admin, request, queryset)
        # The number has changed: somebody has added or edited rows meanwhile.
        if request.POST.get(CONFIRMED) != str(count) or (form and not form.is_valid()):
            consequence = getattr(form, "consequence", READERS_SEE_IT)
            return ask_to_confirm(model_admin, request, queryset, consequence, form)
        return action(model_admin, request, queryset, *([form] if form else []))

    return confirmed


def ask_to_confirm(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], consequence: Any, form: Any = None
) -> HttpResponse:
    """Return the page, which sends the action once more, with the number of its rows."""
    count = queryset.count()
    name = request.POST.get("action", "")
    context = {
        **model_admin.admin_site.each_context(request),
        "title": getattr(form, "title", _("Are you sure?")),
        "opts": model_admin.opts,
        "what": getattr(form, "what", model_admin.get_actions(request)[name][2]),
        "consequence": consequence,
        "form": form,
        "count": count,
        "rows": list(queryset[:MOST_NAMED]),
        "unnamed": max(0, count - MOST_NAMED),
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
