"""Asks about days that look wrong, as the import does, before readers see them."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.html import format_html
from django.utils.translation import gettext as _

from programme.backoffice.dates import count_by_day
from programme.exchange.readers.sheet.dates import find_doubts, find_festival_days
from programme.exchange.values import ImportDefaults
from programme.models import Day, Edition, Event, Occasion
from programme.models.dates import format_day
from programme.models.festival_time import festival_time

MOST_NAMED = 10


class KnownDays(NamedTuple):
    """The festival's days: those of its editions; without any, of its areas, or of nearly all occasions."""

    defaults: ImportDefaults
    rest: list[date]

    @classmethod
    def load(cls, instant: datetime, chosen: Q | None = None) -> "KnownDays":
        """Return what the editions say, or the occasions chosen, in three queries at most."""
        time, editions = festival_time(), Edition.objects.all()
        rest = [] if editions else [*Counter(count_by_day(chosen or Q())).elements()]
        days = frozenset(day for each in editions for day in each.days)
        days = days or find_festival_days(Day.objects.values_list("date", flat=True), rest)
        return cls(ImportDefaults(time, days=days, today=time.day_of(instant)), rest)

    def question(self, occasion: Any) -> str:
        """Return the question whether an occasion's day is right, '' without a doubt."""
        day = self.defaults.time.day_of(occasion.start)
        why = ", ".join(why for why, _found in find_doubts([occasion], [*self.rest, day], self.defaults))
        return _("Is %(day)s right, a date %(why)s?") % {"day": format_day(day), "why": why} if why else ""


def list_doubts(events: QuerySet[Event], instant: datetime) -> list[str]:
    """Return the questions whether days of events are right: some, and how many there are more."""
    known = KnownDays.load(instant)
    occasions = Occasion.objects.filter(event__in=events.order_by().values("pk")).select_related("event")
    return name_some([f"{each.event}: {doubt}" for each in occasions if (doubt := known.question(each))])


def name_some(names: list[str]) -> list[str]:
    """Return the first, and how many there are more."""
    more = len(names) - MOST_NAMED
    return names[:MOST_NAMED] + ([_("and %(count)d more") % {"count": more}] if more > 0 else [])


def ask_about_days(forms: Iterable[Any], instant: datetime, chosen: Q) -> None:
    """Refuse the days of forms that look wrong, unless the box beside them is ticked."""
    known = KnownDays.load(instant, chosen)
    for form in forms:
        name = f"sure-{form.cleaned_data['day']}"
        if name not in form.data and (question := known.question(form.instance)):
            form.doubt = question, name
            box = '{} <label><input name="{}" type="checkbox"> {}</label>'
            answer = format_html(box, question, name, _("Yes, save it"))
            form.add_error("day", answer)
