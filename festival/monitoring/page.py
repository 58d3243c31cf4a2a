"""The page and the notice of the back office with what the last check of the running service has found."""

from datetime import timedelta
from typing import NamedTuple

from django import template
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from festival import clock
from festival.monitoring.live_report import GREEN, LEVELS, YELLOW, Finding, Report, read_last

register = template.Library()

# A timer that runs more often than that has stopped.
OLD = timedelta(days=1)


class Health(NamedTuple):
    """The last report, and whether it is too old to say anything."""

    report: Report
    is_old: bool

    @property
    def level(self) -> str:
        return max(self.report.level, YELLOW if self.is_old else GREEN, key=LEVELS.index)

    def groups(self) -> list[tuple[str, list[Finding]]]:
        """Return the findings by level, the worst first."""
        groups = [(level, [each for each in self.report.findings if each.level == level]) for level in LEVELS]
        return [(level, findings) for level, findings in reversed(groups) if findings]


@register.simple_tag
def read_health() -> Health | None:
    """Return how the service is; None if it was never checked."""
    report = read_last()
    return Health(report, clock.now() - report.at > OLD) if report else None


def show_health(request: HttpRequest) -> HttpResponse:
    # Administrators: the festival office cannot mend a certificate.
    if not request.user.has_perm("auth.change_user"):
        raise PermissionDenied
    context = admin.site.each_context(request) | {
        "title": _("Health of the service"),
        "health": read_health(),
    }
    return TemplateResponse(request, "admin/health.html", context)
