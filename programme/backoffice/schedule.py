"""The schedule: events are published or withdrawn at the moment that was planned, and editors see what waits.

Nothing of a plan is public. What may not be published when its moment comes stays as it is, until an editor
decides again.
"""

import logging
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from threading import Event as StopEvent
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError, connection
from django.db.models import Count, Min, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.wording import format_clock
from programme.changes.rights import rights_of
from programme.history import edits
from programme.models import Edition, Event, Missed, Revision, ScheduledPublication, Status
from programme.models.dates import format_day
from programme.models.festival_time import festival_time

logger = logging.getLogger(__name__)

# Seconds between two looks at what is due next, and after a fault of ours.
POLL_INTERVAL, FAULT_INTERVAL = 1.0, 60.0
# Names of edits in the history.
REASONS = {
    Status.PUBLISHED: gettext_noop("published as planned"),
    Status.DRAFT: gettext_noop("withdrawn as planned"),
}
EDITION_REASON = gettext_noop("the edition became current as planned")
# What all plans of one edit have in common.
_BATCH = ("due", "status", "user_id", "name")

# Returns the user with an ID, None if that account does not exist or lets nobody in.
FindUser = Callable[[Any], Any]


def plan(events: QuerySet[Event], status: Status, due: datetime | None, user: Any) -> int:
    """Plan when events of another status get this one, None for never; return how many are concerned."""
    # What is due is not carried out meanwhile.
    Revision.lock()
    keys = list(events.exclude(status=status).order_by().values_list("pk", flat=True))
    if due is None:
        return ScheduledPublication.objects.filter(event__in=keys).delete()[0]
    name = user.get_full_name() or str(user)
    values = {"status": status, "due": due, "user": user, "name": name, "missed": ""}
    rows = [ScheduledPublication(event_id=key, **values) for key in keys]
    ScheduledPublication.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["event"], update_fields=[*values]
    )
    return len(rows)


def describe(due: datetime | None, status: str | None, missed: str | None = "") -> str:
    """Return `is published Fri 27 Nov 09:00`, or that it was not and why; '' if nothing is planned."""
    if due is None:
        return ""
    is_published, festival = status == Status.PUBLISHED, festival_time()
    when = f"{format_day(festival.day_of(due))} {format_clock(festival.local(due))}"
    if not missed:
        text = _("is published %(when)s") if is_published else _("is withdrawn %(when)s")
        return text % {"when": when}
    text = _("not published %(when)s: %(why)s") if is_published else _("not withdrawn %(when)s: %(why)s")
    return text % {"when": when, "why": Missed(missed).label}


def describe_plan(event: Event) -> str:
    plan: ScheduledPublication | None = getattr(event, "plan", None)
    return describe(plan.due, plan.status, plan.missed) if plan else ""


class Waiting(NamedTuple):
    """What is planned for one moment, or was missed then: how many events, with one of them and an author."""

    due: datetime
    status: str
    missed: str
    total: int
    event: int
    title: str
    name: str

    @property
    def key(self) -> str:
        return f"{self.status}_{self.due.astimezone(UTC):%Y%m%dT%H%M%S}_{self.missed}"

    @property
    def description(self) -> str:
        return describe(self.due, self.status, self.missed)

    @property
    def url(self) -> str:
        """The address of the form of one, of the list of several."""
        if self.total == 1:
            return reverse("admin:programme_event_change", args=[self.event])
        return f"{reverse('admin:programme_event_changelist')}?plan={self.key}"


def load_waiting(areas: Collection[int] | None = None) -> list[Waiting]:
    """Return what is planned, of all areas or some, by moment, in one query."""
    plans = ScheduledPublication.objects.filter(Q() if areas is None else Q(event__area__in=areas))
    together = plans.values("due", "status", "missed").order_by("due", "status", "missed")
    one = Min("event"), Min("event__title"), Min("name")
    return [Waiting(*row) for row in together.values_list("due", "status", "missed", Count("pk"), *one)]


# --- When the moment comes ----------------------------------------------------------------------


def watch(stop: StopEvent, now: Callable[[], datetime], find_user: FindUser) -> None:
    """Carry out what is planned until `stop` is set. Several processes may do so."""
    pause = 0.0
    while not stop.wait(pause):
        pause = POLL_INTERVAL
        try:
            pause = min(pause, carry_out(now(), find_user))
        except (OperationalError, InterfaceError):
            # The thread that renews the programme reports outages.
            connection.close()
        except Exception:
            logger.exception("What was planned could not be carried out")
            connection.close()
            pause = FAULT_INTERVAL


def carry_out(instant: datetime, find_user: FindUser) -> float:
    """Carry out what is due, in one edit for each moment and author; return in how many seconds more is."""
    _change_edition(instant)
    waiting = ScheduledPublication.objects.filter(missed="")
    while batch := waiting.values(*_BATCH).first():
        if batch["due"] > instant:
            return float((batch["due"] - instant).total_seconds())
        user = find_user(batch["user_id"])
        with edits.record(user, instant, REASONS[Status(batch["status"])]):
            # Another process that does the same waits here, and then finds nothing.
            Revision.lock()
            _carry_out(waiting.filter(**batch), Status(batch["status"]), user)
    return POLL_INTERVAL


def _change_edition(instant: datetime) -> None:
    """Make the edition current whose day has come."""
    day = festival_time().day_of(instant)
    if Edition.find_due(day):
        with edits.record(None, instant, EDITION_REASON):
            # As above.
            Revision.lock()
            if due := Edition.find_due(day):
                due.make_current(instant)


def _carry_out(plans: QuerySet[ScheduledPublication], status: Status, user: Any) -> None:
    events = {each.event_id: each.event for each in plans.select_related("event")}
    forbidden = [key for key, event in events.items() if not (user and rights_of(user).can("publish", event))]
    plans.filter(event__in=forbidden).update(missed=Missed.AUTHOR)
    if status == Status.PUBLISHED:
        # Readers would not see them.
        empty = Event.objects.filter(pk__in=events, occasions=None).values("pk")
        plans.filter(event__in=empty).update(missed=Missed.OCCASIONS)
    ready = list(plans.values_list("event", flat=True))
    plans.delete()
    Event.objects.filter(pk__in=ready).exclude(status=status).update(status=status)
