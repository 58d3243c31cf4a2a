"""The page and the notice of the back office with what the last check of the running service has found."""

from django import template
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from festival.monitoring.live_report import read_last

register = template.Library()
register.simple_tag(read_last, name="read_health")


def show_health(request: HttpRequest) -> HttpResponse:
    # Administrators: the festival office cannot mend a certificate.
    if not request.user.has_perm("auth.change_user"):
        raise PermissionDenied
    context = admin.site.each_context(request) | {"title": _("Health of the service"), "health": read_last()}
    return TemplateResponse(request, "admin/health.html", context)
