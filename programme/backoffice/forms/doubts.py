"""Asks about what looks wrong before readers see it: days, as the import does, and titles."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from feeds.editions import find_festival_days
from programme.backoffice.dates import count_by_day
from programme.exchange.readers.sheet.dates import find_doubts
from programme.exchange.values import ImportDefaults
from programme.models import Day, Edition, Event, Occasion
from programme.models.dates import format_day
from programme.models.festival_time import festival_time

MOST_NAMED = 10
# How the titles of copies end, in either language of the back office.
COPIED = r"\((copy|kopia)\)$"


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

    def find_doubt(self, occasion: Any) -> str:
        """Return why an occasion's day may be wrong, '' without a doubt."""
        days = [*self.rest, self.defaults.time.day_of(occasion.start)]
        return ", ".join(why for why, _found in find_doubts([occasion], days, self.defaults))

    def question(self, occasion: Any) -> str:
        """Return the question whether an occasion's day is right, '' without a doubt."""
        day, why = format_day(self.defaults.time.day_of(occasion.start)), self.find_doubt(occasion)
        return _("Is %(day)s right, a date %(why)s?") % {"day": day, "why": why} if why else ""


def list_doubts(events: QuerySet[Event], instant: datetime) -> list[str]:
    """Return the questions whether days of events are right: some, and how many there are more."""
    known = KnownDays.load(instant)
    occasions = Occasion.objects.filter(event__in=events.order_by().values("pk")).select_related("event")
    doubts = [ask_of_copy(title) for title in events.order_by("pk").values_list("title", flat=True)]
    doubts += [f"{each.event}: {doubt}" for each in occasions if (doubt := known.question(each))]
    return name_some([*filter(None, doubts)])


def name_some(rows: Sequence[Any], most: int = MOST_NAMED, name: Callable[[Any], str] = str) -> list[str]:
    """Return the names of the first, and how many there are more."""
    more = len(rows) - most
    return [*map(name, rows[:most]), *([_("and %(count)d more") % {"count": more}] if more > 0 else [])]


def ask_of_copy(title: str) -> str:
    """Return the question about the title of a copy that nobody has changed, '' of another."""
    text = _("“%(title)s” is the title of a copy. Is it to be called so?") % {"title": title}
    return text if re.search(COPIED, title) else ""


def ask(form: Any, field: str, question: str, name: str, days: Iterable[str] = ()) -> None:
    """Refuse a form unless the box beside the question is ticked, which may answer for several days."""
    several = " ".join(days)
    value = format_html(' value="{}"', several) if " " in several else ""
    answer = _("Yes, save all of them") if value else _("Yes, save it")
    box = '{} <label><input name="{}" type="checkbox"{}> {}</label>'
    form.add_error(field, format_html(box, question, name, value, answer))


def ask_about_title(form: Any, starts: list[datetime], *, is_new: bool) -> None:
    """Ask about the title of a copy, and about an event that is there already: sent twice, as after Back."""
    event = form.instance
    if is_new and "sure-copy" not in form.data and (question := ask_of_copy(event.title)):
        ask(form, "title", question, "sure-copy")
    if event.pk or "sure-twin" in form.data:
        return
    same = Event.objects.filter(title=event.title, area=event.area_id)
    twin = same.filter(occasions__start__in=starts).first() if starts else same.filter(occasions=None).first()
    if twin:
        address = reverse("admin:programme_event_change", args=[twin.pk])
        text = _('<a href="{}">{}</a> is saved already. Save one more?')
        ask(form, "title", format_html(text, address, twin), "sure-twin")


def ask_about_days(forms: Iterable[Any], instant: datetime, chosen: Q) -> None:
    """Refuse the days of forms that look wrong, unless the box beside the first of a kind is ticked."""
    known = KnownDays.load(instant, chosen)
    doubtful: dict[str, list[Any]] = defaultdict(list)
    for form in forms:
        if why := known.find_doubt(form.instance):
            doubtful[why].append(form)
    for first, *others in doubtful.values():
        days = list(dict.fromkeys(str(form.cleaned_data["day"]) for form in (first, *others)))
        name, sent = f"sure-{days[0]}", first.data
        ticked = {day for key in sent if key.startswith("sure-") for day in (key[5:], *sent[key].split())}
        if ticked.issuperset(days):
            continue
        question = known.question(first.instance)
        first.doubt = question, name
        ask(first, "day", question, name, days)
        for form in others:
            form.add_error("day", known.question(form.instance))
