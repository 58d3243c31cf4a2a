"""Occasions as the page shows them: now and after, and what readers will see."""

import datetime as dt
from collections.abc import Collection
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.marks import NO_MARK
from feeds.wording import format_change
from programme.backoffice.bulk.forms import BOOKING
from programme.backoffice.bulk.plan import Plan, PlannedRow
from programme.backoffice.dates import editor_language, format_day, format_times
from programme.backoffice.forms.facts import NOT_STATED
from programme.backoffice.forms.fields import MomentField
from programme.history.news import Newsroom, PublicChange, build_side
from programme.models import Occasion, Status
from programme.models.facts import FactField
from programme.models.festival_time import festival_time
from programme.publishing.news_reader import read_marks


def load_occasions(keys: Collection[int]) -> list[Occasion]:
    """Return the occasions in the order of time, with all that the page shows of them, in one query."""
    own = Occasion.objects.filter(pk__in=keys).select_related("location", "room__location")
    return list(own.select_related("event__area"))


@dataclass(frozen=True)
class ShownRow:
    """An occasion with what would become of it, if that is known."""

    occasion: Occasion
    is_ticked: bool = True
    planned: PlannedRow | None = None
    # The words that readers will see with it.
    news: str = ""

    @cached_property
    def key(self) -> str:
        return str(self.occasion.pk)

    @property
    def is_draft(self) -> bool:
        return self.occasion.event.status == Status.DRAFT

    @property
    def time(self) -> str:
        return _format_time(self.occasion)

    @property
    def new_time(self) -> str:
        return _format_time(self.planned.after) if self.planned and self.planned.is_moved else ""

    @property
    def new_place(self) -> str:
        if not (self.planned and self.planned.is_placed):
            return ""
        return self.planned.after.place_name or _("No location")

    @property
    def new_state(self) -> str:
        """What becomes of the occasion if that is neither a time nor a place."""
        changes = self.planned.changes if self.planned else {}
        states = [{None: "", True: _("cancelled"), False: _("reinstated")}[changes.get("cancelled")]]
        for name in filter(changes.__contains__, BOOKING):
            own: Any = Occasion._meta.get_field(name)
            states.append(f"{own.verbose_name}: {_describe(own, changes[name])}")
        return ", ".join(filter(None, states))


def _describe(own: Any, value: Any) -> str:
    if isinstance(value, dt.datetime):
        return MomentField().describe(value)
    return (own.describe(value) if isinstance(own, FactField) else value) or str(NOT_STATED)


def _format_time(occasion: Occasion) -> SafeString:
    day = format_day(festival_time().day_of(occasion.start))
    times = format_times(occasion.start, occasion.end)
    return format_html('<span class="together">{}</span> <span class="together">{}</span>', day, times)


def describe_news(plan: Plan, instant: dt.datetime) -> dict[int, str]:
    """Return what readers will see of the occasions that change, by ID, as `feeds.wording.format_change`."""
    rows: list[Any] = [copy(row.after) for row in plan.changing]
    sides = ((row.after.pk, build_side(row.occasion), build_side(row.after)) for row in plan.changing)
    public = [change for change in starmap(PublicChange, sides) if change.is_public]
    marks = read_marks(rows, *Newsroom(0, instant, instant, plan.telling, public).plan())
    for row in rows:
        # What is written of a snapshot's occasion is written of one of the models with a mark.
        vars(row).update(marks.get(row.pk, NO_MARK)._asdict())
    return {row.pk: format_change(row, festival_time(), editor_language()) for row in rows}
