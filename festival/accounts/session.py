"""Signing in without leaving a page: a session may end while a form is written.

Before a form is sent that was open for a while, its page asks whether the editor is still signed in. If not,
a dialog on the page signs in; for a second step and the organization's accounts it opens a window of its own
(static/accounts/sign-in-again.js).
"""

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from programme.models.parsing import parse_int


@require_safe
@never_cache
def show_session(request: HttpRequest) -> HttpResponse:
    """Return the token with which forms are sent now, and the dialog if `user` is not who is signed in."""
    is_signed_in = admin.site.has_permission(request)
    answer = {"token": get_token(request)}
    if not is_signed_in or request.user.pk != parse_int(request.GET.get("user")):
        context = {"other": request.user if is_signed_in else None, "done": reverse("account_signed_in")}
        answer["dialog"] = render_to_string("account/sign_in_again.html", context, request)
    return JsonResponse(answer)


@require_safe
@never_cache
def show_signed_in(request: HttpRequest) -> HttpResponse:
    """The last page of a window that has signed in; it tells the page with the form, and closes itself."""
    if not admin.site.has_permission(request):
        return redirect_to_login(request.path)
    context = admin.site.each_context(request) | {"title": _("You are signed in")}
    return TemplateResponse(request, "account/signed_in.html", context)
