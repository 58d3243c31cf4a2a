"""What pages of the back office have in common: how they are rendered, and that they do what was shown."""

import hashlib
from operator import setitem
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

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


def digest(shown: object) -> str:
    """Return what is another as soon as anything is that a page shows of what it is to do."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()


def warn_of_files(request: HttpRequest) -> None:
    """Say which files were not saved with what was sent: a page cannot hold on to them."""
    for file in request.FILES.values():
        messages.warning(
            request, _("The file “%(file)s” is not saved: choose it once more.") % {"file": file}
        )


def warn_of_difference(request: HttpRequest) -> None:
    messages.warning(request, _("This is not what was shown. Nothing is written yet: look again."))
