"""The edition of the festival that an editor works in: the current one, unless another was chosen."""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from feeds.editions import find_current
from programme.backoffice.rendering import choose_back
from programme.models import Edition, Occasion
from programme.models.editions import within

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

    def __str__(self) -> str:
        if self.edition is None:
            return _("All editions") if self.key == ALL else _("Outside all editions")
        return str(self.edition)

    def holds(self, start: datetime) -> bool:
        is_within = any(begins <= start < ends for begins, ends in self.spans)
        return self.key == ALL or is_within != (self.key == OUTSIDE)

    @property
    def occasions(self) -> Q:
        found = reduce(or_, map(within, self.spans), Q())
        return ~found if self.key == OUTSIDE else found

    @property
    def events(self) -> Q:
        """Those with an occasion in it; those without any are in each edition."""
        if self.key == ALL:
            return Q()
        held = Q(pk__in=Occasion.objects.filter(self.occasions).order_by().values("event"))
        return held | Q(~Exists(Occasion.objects.filter(event=OuterRef("pk")))) if self.edition else held


EVERYTHING = Scope(ALL)


def build_outside(editions: Iterable[Edition]) -> Scope:
    return Scope(OUTSIDE, tuple(each.span for each in editions))


def list_scopes(request: HttpRequest) -> list[Scope]:
    """Return what there is to choose, in one query for each request.

    The current edition is first, what is outside all of them last; without editions everything is alone.
    """
    if not hasattr(request, "scopes"):
        editions = [*Edition.objects.all()]
        shown = find_current(editions)
        editions.sort(key=lambda each: (each == shown, each.first_day), reverse=True)
        scopes = [*(Scope(str(each.pk), (each.span,), each) for each in editions), EVERYTHING]
        request.scopes = [*scopes, build_outside(editions)] if editions else scopes  # type: ignore[attr-defined]
    found: list[Scope] = request.scopes  # type: ignore[attr-defined]
    return found


def offer_scopes(request: HttpRequest) -> list[Scope]:
    """Return what the header offers: nothing without editions."""
    *scopes, last = list_scopes(request)
    return [*scopes, last] if scopes and Occasion.objects.filter(last.occasions).exists() else scopes


def get_scope(request: HttpRequest) -> Scope:
    scopes, chosen = list_scopes(request), request.COOKIES.get(_name_cookie(request))
    return next((each for each in scopes if each.key == chosen), scopes[0])


def get_edition(request: HttpRequest) -> Edition | None:
    """Return the edition that the user works in; None for all, for what is outside, and without editions."""
    return get_scope(request).edition


def _name_cookie(request: HttpRequest) -> str:
    return f"edition-{request.user.pk}"


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep what the user chooses; the current edition is not kept, so that the next one follows it."""
    chosen = request.POST.get("edition", "")
    response = redirect(choose_back(request.POST.get("next", "")) or "admin:index")
    chosen = chosen if chosen in {each.key for each in list_scopes(request)[1:]} else ""
    safe: dict[str, Any] = {"secure": settings.SESSION_COOKIE_SECURE, "httponly": True, "samesite": "Lax"}
    response.set_cookie(_name_cookie(request), chosen, max_age=KEPT_FOR, path=reverse("admin:index"), **safe)
    return response
