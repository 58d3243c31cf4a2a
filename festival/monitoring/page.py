"""The page of the back office with what the last check of the running service has found."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from festival.monitoring.live.report import LEVELS, Finding, Level, Report, read_last
from programme.api.instant import get_instant

# A timer that runs more often than that has stopped.
OLD = timedelta(days=1)


class Health(NamedTuple):
    """The last report, and whether it is too old to say anything."""

    report: Report
    is_old: bool

    @property
    def level(self) -> Level:
        return max(self.report.level, Level.YELLOW if self.is_old else Level.GREEN, key=LEVELS.index)

    @property
    def is_well(self) -> bool:
        return self.level is Level.GREEN

    def groups(self) -> list[tuple[Level, list[Finding]]]:
        """Return the findings by level, the worst first."""
        groups = [(level, [each for each in self.report.findings if each.level is level]) for level in LEVELS]
        return [(level, findings) for level, findings in reversed(groups) if findings]


def may_see_health(user: Any) -> bool:
    """Administrators: the festival office cannot mend a certificate."""
    return bool(user.has_perm("auth.change_user"))


def read_health(user: Any, now: datetime) -> Health | None:
    """Return how the service is; None if it was never checked, or for who may not know."""
    report = read_last() if may_see_health(user) else None
    return Health(report, now - report.at > OLD) if report else None


def show_health(request: HttpRequest) -> HttpResponse:
    if not may_see_health(request.user):
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": _("Health of the service"),
        "health": read_health(request.user, get_instant(request)),
    }
    return TemplateResponse(request, "admin/health.html", context)
