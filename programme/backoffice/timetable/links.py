"""URLs of the timetable, and the redirect back to it from an occasion's form."""

import datetime as dt

from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.urls import reverse

from programme.models import Occasion
from programme.models.festival_time import festival_time

# What was chosen on the timetable, in the address of the form that was opened from it.
TIMETABLE_PARAMETER = "timetable"


def timetable_url(day: dt.date, query: str = "") -> str:
    path = reverse("admin:timetable_day", args=[day.isoformat()])
    return f"{path}?{query}" if query else path


def redirect_to_timetable(request: HttpRequest, occasion: Occasion) -> HttpResponseRedirect | None:
    """Return to the day on which an occasion now is, None where the editor does not come from there."""
    if TIMETABLE_PARAMETER not in request.GET:
        return None
    chosen = QueryDict(request.GET[TIMETABLE_PARAMETER])
    return HttpResponseRedirect(timetable_url(festival_time().day_of(occasion.start), chosen.urlencode()))
