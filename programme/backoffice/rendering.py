"""What pages of the back office have in common: how they are rendered, and that they do what was shown."""

from operator import setitem
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.models import Revision


def render_page(request: HttpRequest, name: str, title: object, context: dict[str, Any]) -> TemplateResponse:
    """Return a page of `templates/admin/programme/` below the header of the back office."""
    shared = admin.site.each_context(request)
    return TemplateResponse(request, f"admin/programme/{name}.html", shared | {"title": title} | context)


def let_return(request: HttpRequest, response: TemplateResponse | Any) -> HttpResponse:
    """Let the button Back show a form or a plan that was sent for, which `no-store` forbids."""
    if request.method == "POST":
        response.add_post_render_callback(lambda shown: setitem(shown, "Cache-Control", "private, no-cache"))
    return response


def lock_for_sent(request: HttpRequest) -> None:
    """Let nobody else save from here on, if anything is sent: what is done is what was shown or compared."""
    if request.method == "POST":
        Revision.lock()


def choose_back(address: str) -> str:
    """Return the address to which a page leads back, '' for one that is not ours."""
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""


def read_back(request: HttpRequest) -> str:
    return choose_back(request.GET.get("back", ""))


def list_ticked(request: HttpRequest, queryset: QuerySet[Any], most: int) -> list[int] | None:
    """Return the IDs of the rows that are ticked in a list; None, and a message, of too many."""
    keys = list(queryset.order_by().values_list("pk", flat=True)[: most + 1])
    if len(keys) <= most:
        return keys
    text = ngettext("At most %(count)d at a time.", "At most %(count)d at a time.", most)
    messages.warning(request, text % {"count": most})
    return None


def warn_of_files(request: HttpRequest) -> None:
    """Say which files were not saved with what was sent: a page cannot hold on to them."""
    for file in request.FILES.values():
        messages.warning(
            request, _("The file “%(file)s” is not saved: choose it once more.") % {"file": file}
        )


def warn_of_difference(request: HttpRequest) -> None:
    messages.warning(request, _("This is not what was shown. Nothing is written yet: look again."))
