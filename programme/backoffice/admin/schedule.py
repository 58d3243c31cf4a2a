"""Publishing and withdrawing at a moment to come: the actions of the list of events, and its filter."""
# ruff: noqa: ARG001, ARG002 - Django's hooks say which arguments there are

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice import schedule
from programme.backoffice.admin.confirm_action import Action, confirm_action
from programme.backoffice.forms.doubts import list_doubts
from programme.backoffice.forms.schedule import PlanForm
from programme.models import Status


def plan_events(
    request: HttpRequest, events: QuerySet[Any], status: Status, due: datetime | None
) -> tuple[int, str]:
    """Plan, and warn of what would not be published as it is; return for how many events, and the plan."""
    if due and status == Status.PUBLISHED and events.filter(status=Status.DRAFT, occasions=None).exists():
        messages.warning(request, _("What has no occasion by then is not published."))
    what = schedule.describe(due, status) or _("nothing is planned any more")
    return schedule.plan(events, status, due, request.user), str(what)


def plan_status(name: str, description: Any, status: Status) -> Action:
    @admin.action(description=description, permissions=["publish"])
    def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: PlanForm) -> None:
        count, what = plan_events(request, queryset, status, form.due)
        if count:
            text = ngettext("%(count)d event: %(what)s.", "%(count)d events: %(what)s.", count)
            messages.success(request, text % {"count": count, "what": what})
        else:
            messages.info(request, _("Nothing had to be changed."))

    action.__name__ = name

    def offer(request: HttpRequest, events: QuerySet[Any]) -> PlanForm:
        drafts = events.exclude(status=status) if status == Status.PUBLISHED else events.none()
        form = PlanForm(request.POST, get_instant(request), drafts)
        doubts = format_html_join(" ", "{}", [(each,) for each in list_doubts(drafts, get_instant(request))])
        form.consequence = format_html("{} {}", doubts, form.consequence)
        return form

    return confirm_action(action, offer=offer)


publish_at = plan_status("publish_at", _("Publish at …"), Status.PUBLISHED)
withdraw_at = plan_status("withdraw_at", _("Withdraw at …"), Status.DRAFT)


class PlanFilter(admin.SimpleListFilter):
    """By what is planned, for which moment: not there while nothing is."""

    title = _("planned")
    parameter_name = "plan"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.waiting = {each.key: each for each in schedule.load_waiting()}
        return [(key, f"{each.description} ({each.total})") for key, each in self.waiting.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        due, status, missed, *_one = self.waiting.get(self.value() or "", ("",) * 3)
        return queryset.filter(plan__due=due, plan__status=status, plan__missed=missed) if due else queryset
