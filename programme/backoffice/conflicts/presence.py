"""Who else has the form of a row open: shown while it is written, so that two do not write the same."""
# ruff: noqa: ARG002 - hooks define the arguments

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from programme.api.instant import get_instant
from programme.backoffice.errors import explain_methods
from programme.backoffice.features import Feature
from programme.models import OpenForm

# So long after its page has last asked, a form counts as closed. It asks every fifteen seconds while it is
# seen.
LIFETIME = timedelta(minutes=1)
LEAVE = "leave"


class Presence(Feature):
    """Answers the page of a form, which asks again and again and says when it is left."""

    def get_urls(self) -> list[URLPattern]:
        opts = self.model_admin.opts
        # Not the site's own wrapping, which records an edit: nothing of the programme is written.
        view = AdminSite.admin_view(
            self.model_admin.admin_site, explain_methods(require_POST(self.editing_view))
        )
        return [path("<int:key>/editing/", view, name=f"{opts.app_label}_{opts.model_name}_editing")]

    def editing_view(self, request: HttpRequest, key: int) -> HttpResponse:
        if not self.model_admin.has_change_permission(request):
            raise PermissionDenied
        # Nothing that readers must see.
        request.has_saved = False  # type: ignore[attr-defined]
        form = f"{self.model_admin.opts.model_name}/{key}"
        if LEAVE in request.POST:
            OpenForm.objects.filter(form=form, user=request.user.pk).delete()
            return HttpResponse(status=204)
        now, user = get_instant(request), cast("Any", request.user)
        seen = OpenForm(form=form, user=user, seen_at=now)
        OpenForm.objects.bulk_create(
            [seen], update_conflicts=True, unique_fields=["form", "user"], update_fields=["seen_at"]
        )
        others = OpenForm.objects.filter(form=form, seen_at__gt=now - LIFETIME).exclude(user=user)
        rows = others.select_related("user").order_by("user__username__in_order")
        return JsonResponse({"text": _describe([each.user for each in rows])})

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        if row is None or not self.model_admin.has_change_permission(request, row):
            return {}
        opts = self.model_admin.opts
        return {"editing_url": reverse(f"admin:{opts.app_label}_{opts.model_name}_editing", args=[row.pk])}


def _describe(users: Sequence[Any]) -> str:
    if not users:
        return ""
    names = ", ".join(user.get_full_name() or user.get_username() for user in users)
    text = ngettext("%(names)s is editing this, too.", "%(names)s are editing this, too.", len(users))
    return text % {"names": names}


def sweep_open_forms(instant: datetime) -> int:
    return OpenForm.objects.filter(seen_at__lt=instant - LIFETIME).delete()[0]
