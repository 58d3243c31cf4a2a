"""The edition of the festival that an editor works in: the current one, unless another was chosen."""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.admin import AdminSite
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from feeds.editions import Edition, find_current
from feeds.vocabulary import Text
from programme import models
from programme.models.festival_time import festival_time

ALL, OUTSIDE = "all", "outside"
# The reason of an edit, before the edition's name.
SHOWN = gettext_noop("shown to readers:")
# In seconds, how long a browser keeps what was chosen.
KEPT_FOR = 400 * 24 * 3600


class Scope(NamedTuple):
    """What of the programme an editor works with: an edition, what is outside all of them, or everything.

    Occasions are in it by when they start: within one of its spans of time, or, outside, within none.
    """

    key: str
    spans: tuple[tuple[datetime, datetime], ...] = ()
    edition: Edition | None = None

    @property
    def is_everything(self) -> bool:
        return self.key == ALL

    def holds(self, start: datetime) -> bool:
        is_within = any(begins <= start < ends for begins, ends in self.spans)
        return self.is_everything or is_within != (self.key == OUTSIDE)

    @property
    def occasions(self) -> Q:
        """The condition for its occasions."""
        within = reduce(or_, (Q(start__gte=begins, start__lt=ends) for begins, ends in self.spans), Q())
        return ~within if self.key == OUTSIDE else within

    @property
    def events(self) -> Q:
        """The condition for its events: with an occasion in it, or, in any edition, without any."""
        if self.is_everything:
            return Q()
        held = Q(pk__in=models.Occasion.objects.filter(self.occasions).order_by().values("event"))
        is_free = ~Exists(models.Occasion.objects.filter(event=OuterRef("pk")))
        return held | Q(is_free) if self.edition else held


EVERYTHING = Scope(ALL)


def list_editions(request: HttpRequest) -> list[Edition]:
    """Return all editions, in one query for each request."""
    if not hasattr(request, "editions"):
        columns = ("id", "slug", "name_sv", "name_en", "first_day", "last_day", "current_since", "saved_at")
        rows = models.Edition.objects.values_list(*columns)
        request.editions = [Edition(key, slug, Text(sv, en), *more) for key, slug, sv, en, *more in rows]  # type: ignore[attr-defined]
    found: list[Edition] = request.editions  # type: ignore[attr-defined]
    return found


def list_scopes(request: HttpRequest) -> list[Scope]:
    """Return what can be chosen, first the current edition; everything alone where there is no edition."""
    editions = list_editions(request)
    spans = tuple(each.span(festival_time()) for each in editions)
    scopes = [Scope(str(each.id), (span,), each) for each, span in zip(editions, spans, strict=True)]
    # The current one first, then the latest.
    scopes.sort(key=lambda scope: (scope.edition == find_current(editions), scope.spans), reverse=True)
    return [*scopes, EVERYTHING, *([build_outside(spans)] if spans else [])]


def build_outside(spans: Iterable[tuple[datetime, datetime]]) -> Scope:
    return Scope(OUTSIDE, tuple(spans))


def get_scope(request: HttpRequest) -> Scope:
    """Return what the user works with."""
    scopes, chosen = list_scopes(request), request.COOKIES.get(_name_cookie(request))
    return next((each for each in scopes if each.key == chosen), scopes[0])


def get_edition(request: HttpRequest) -> Edition | None:
    """Return the edition that the user works in; None for all, for what is outside, and without editions."""
    return get_scope(request).edition


def _name_cookie(request: HttpRequest) -> str:
    return f"edition-{request.user.pk}"


@require_POST
def choose(request: HttpRequest, site: AdminSite) -> HttpResponse:  # noqa: ARG001 - as the others
    """Keep what the user chooses; the current edition is not kept, so that the next one follows it."""
    back, chosen = request.POST.get("next", ""), request.POST.get("edition", "")
    timetable = reverse("admin:timetable")
    if back.startswith(timetable):
        # The day that was open may be of another edition.
        back = timetable
    response = redirect(back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else "admin:index")
    keep(request, response, chosen if chosen in {each.key for each in list_scopes(request)[1:]} else "")
    return response


def keep(request: HttpRequest, response: HttpResponse, chosen: str) -> None:
    """Let the browser keep what the user works with from now on, '' for the current edition."""
    path: dict[str, Any] = {"path": reverse("admin:index"), "samesite": "Lax"}
    if chosen:
        kept = path | {"max_age": KEPT_FOR, "secure": settings.SESSION_COOKIE_SECURE, "httponly": True}
        response.set_cookie(_name_cookie(request), chosen, **kept)
    else:
        response.delete_cookie(_name_cookie(request), **path)
