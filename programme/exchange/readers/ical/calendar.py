"""iCalendar files (RFC 5545): each VEVENT as the occasions that it means inside the festival's days."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.own_format import ICAL_PRODUCER
from programme.exchange.readers.ical.lines import Component, read_calendars
from programme.exchange.readers.ical.own_exports import is_ours, own_occasions
from programme.exchange.readers.ical.recurrence import (
    CalendarWindow,
    Times,
    identity_of,
    length_of,
    recurs,
    start_of,
    time_at,
    times_of,
)
from programme.exchange.readers.ical.rules import Effort, RuleError
from programme.exchange.readers.ical.times import Zones
from programme.exchange.readers.own_exports import OwnOccasion, contents_of_ours
from programme.exchange.values import (
    Conference,
    Entry,
    ImportDefaults,
    Problem,
    ReadResult,
    Schedule,
    UnreadableFileError,
)
from programme.models.cleaning import clean_line

_BEGINS = re.compile(rb"\s*(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*B\0?E\0?G\0?I\0?N\0?\s*:", re.IGNORECASE)
# Days that may be looked at for all rules of a file: some seconds of work.
_EFFORT = 1_000_000
_NOT_PUBLIC = {"PRIVATE", "CONFIDENTIAL"}


def is_calendar(content: bytes, _ending: str = "") -> bool:
    """Return whether a content begins like an iCalendar file."""
    return _BEGINS.match(content[:200].replace(b"\0", b"")) is not None


def read_calendar(content: bytes, given: ImportDefaults) -> Schedule:
    """Return the schedule in an iCalendar file, which holds at least one calendar with an event."""
    calendars = [each for each in read_calendars(content) if each.name == "VCALENDAR"]
    if not calendars:
        raise UnreadableFileError(_("it holds no calendar"))
    problems: list[Problem] = []
    effort = Effort(_EFFORT)
    entries: list[Entry] = []
    unread: list[Entry] = []
    for calendar in calendars:
        zones = Zones(calendar, given.zone, effort, lambda *problem: problems.append(Problem(*problem)))
        reader = _Reader(calendar, CalendarWindow(zones, given.time, given.days, effort), problems)
        entries += reader.entries()
        unread += reader.unread
    if not entries:
        told = "; ".join(f"{problem.where}: {problem.what}" for problem in problems[:3])
        raise UnreadableFileError(_("it names no event") + (f" ({told})" if told else ""))
    return Schedule(_conference(calendars), tuple(entries), tuple(problems), tuple(unread))


def read_own_calendar(content: bytes, given: ImportDefaults) -> ReadResult | None:
    """Return what a file says that this service exported; None for any other."""
    if ICAL_PRODUCER.encode() not in content:
        return None
    calendars = [each for each in read_calendars(content) if each.name == "VCALENDAR"]
    if not all(map(is_ours, calendars)):
        return None
    problems: list[Problem] = []
    effort = Effort(_EFFORT)
    found: list[OwnOccasion] = []
    for calendar in calendars:
        zones = Zones(calendar, given.zone, effort, lambda *problem: problems.append(Problem(*problem)))
        found += own_occasions(calendar, CalendarWindow(zones, given.time, given.days, effort), problems)
    if not found and not problems:
        raise UnreadableFileError(_("it names no event"))
    return ReadResult(_conference(calendars), contents_of_ours(found, problems))


def _conference(calendars: list[Component]) -> Conference:
    def first(*names: str) -> str:
        texts = (calendar.text(name) for name in names for calendar in calendars)
        return next((text for text in texts if text.strip()), "")

    return Conference(
        title=first("NAME", "X-WR-CALNAME", "X-DISPLAY-NAME", "SUMMARY"),
        acronym=first("X-WR-RELCALID", "UID"),
    )


@dataclass
class _Series:
    """The components of one identifier: those that stand for themselves, and exceptions from them."""

    components: list[Component] = field(default_factory=list)
    exceptions: list[Component] = field(default_factory=list)


class _Reader:
    def __init__(self, calendar: Component, frame: CalendarWindow, problems: list[Problem]) -> None:
        self.calendar = calendar
        self.frame = frame
        self.problems = problems
        self.unread: list[Entry] = []

    def entries(self) -> Iterator[Entry]:
        self._tell_others()
        for series in self._series():
            recurring = [each for each in series.components if recurs(each)]
            for component in series.components:
                if recurs(component):
                    yield from self._recurring(component, series)
                else:
                    yield self._once(component)
            if not recurring:
                # What they are exceptions from is not in the file.
                yield from (self._once(each, self._identity(each, each)) for each in series.exceptions)

    def _identity(self, exception: Component, component: Component) -> datetime | None:
        start = start_of(component, self.frame)
        return identity_of(exception, start, self.frame) if start else None

    def _series(self) -> list[_Series]:
        series: dict[str, _Series] = defaultdict(_Series)
        for component in self.calendar.components:
            if component.name != "VEVENT":
                continue
            uid = component.text("UID").strip()
            # Without an identifier each stands for itself.
            found = series[uid or f"\n{component.line}"]
            (found.exceptions if uid and component.first("RECURRENCE-ID") else found.components).append(
                component
            )
        return list(series.values())

    def _once(self, component: Component, identity: datetime | None = None) -> Entry:
        start = start_of(component, self.frame)
        if start is None:
            return self._entry(component, None, "")
        if start.is_date:
            self._complain(component, _("has no time of day, and stands for the whole festival day"))
        try:
            times = time_at(start, length_of(component, start, self.frame), self.frame)
        except (OverflowError, RuleError):
            times = None
        return self._entry(component, times, _guid(component, identity) if identity else "")

    def _recurring(self, component: Component, series: _Series) -> Iterator[Entry]:
        try:
            times, outside = times_of(component, self.frame)
        except (RuleError, OverflowError) as reason:
            self._complain(
                component, _("left out: %(reason)s") % {"reason": str(reason) or _("its times cannot be")}
            )
            self.problems[-1] = msgspec.structs.replace(self.problems[-1], left_out=True)
            self.unread.append(self._entry(component, None, ""))
            return
        if not times and not start_of(component, self.frame):
            yield self._entry(component, None, "")
            return
        if outside:
            self._complain(
                component,
                _("%(taken)d of its times are on festival days; %(outside)d others are left out")
                % {"taken": len(times), "outside": outside},
            )
        if times and (start := start_of(component, self.frame)) and start.is_date:
            self._complain(component, _("has no time of day, and stands for the whole festival day"))
        yield from self._with_exceptions(component, times, series)

    def _with_exceptions(self, component: Component, times: list[Times], series: _Series) -> Iterator[Entry]:
        exceptions = {self._identity(each, component): each for each in series.exceptions}
        ranged = sorted(
            (
                (identity, each)
                for identity, each in exceptions.items()
                if identity and any("RANGE" in stated.parameters for stated in each.all("RECURRENCE-ID"))
            ),
            key=lambda found: found[0],
        )
        for each in times:
            if each.identity not in exceptions:
                since = next((found for found in reversed(ranged) if found[0] < each.identity), None)
                stated, moved = self._moved(each, *since) if since else (component, each)
                yield self._entry(stated, moved, _guid(component, each.identity))
        for identity, exception in exceptions.items():
            start = start_of(exception, self.frame)
            if start is None or self.frame.holds(self.frame.instant(start)):
                yield self._once(exception, identity)

    def _moved(self, times: Times, identity: datetime, exception: Component) -> tuple[Component, Times]:
        """Return what an exception "for this and all that follow" makes of a later time."""
        start = start_of(exception, self.frame)
        if start is None:
            return exception, times
        own = time_at(start, length_of(exception, start, self.frame), self.frame)
        begins = times.start + (own.start - identity)
        return exception, Times(times.identity, begins, begins + (own.end - own.start) if own.end else None)

    def _entry(self, component: Component, times: Times | None, guid: str) -> Entry:
        where, *address = component.text("LOCATION").replace("\r", "").strip().split("\n")
        organizer = component.first("ORGANIZER")
        title = component.first("SUMMARY")
        stated = title and title.parameters.get("LANGUAGE", "")
        stated_start = component.first("DTSTART")
        return Entry(
            place=_("line %(line)d") % {"line": component.line},
            code=component.text("UID").strip(),
            guid=guid,
            title=title.text if title else "",
            description=component.text("DESCRIPTION"),
            type=next((text for each in component.all("CATEGORIES") for text in each.texts), ""),
            text_language=stated or "",
            url=component.text("URL"),
            logo=component.text("IMAGE"),
            state="cancelled" if self._cancelled(component) else "",
            location=where,
            address=", ".join(filter(None, map(clean_line, address))),
            persons=(organizer.parameters.get("CN", ""),) if organizer else (),
            date=times.start.isoformat() if times else "",
            end=times.end.isoformat() if times and times.end else "",
            day="" if times or not stated_start else stated_start.value,
        )

    def _cancelled(self, component: Component) -> bool:
        return (
            component.text("STATUS").strip().upper() == "CANCELLED"
            or self.calendar.text("METHOD").strip().upper() == "CANCEL"
        )

    def _tell_others(self) -> None:
        """Tell of what in a calendar is no event, and of what is not meant for everybody."""
        here = _("line %(line)d") % {"line": self.calendar.line}
        kinds = Counter(component.name for component in self.calendar.components)
        for name, count in kinds.items():
            if name not in {"VEVENT", "VTIMEZONE"}:
                what = _("%(name)s left out, because it is no event: %(count)d")
                self.problems.append(Problem(here, what % {"count": count, "name": name[:40]}))
        hidden = [
            each for each in self.calendar.components if each.text("CLASS").strip().upper() in _NOT_PUBLIC
        ]
        if hidden:
            what = _("marked as private, but taken like the others: %(count)d")
            self.problems.append(Problem(here, what % {"count": len(hidden)}))

    def _complain(self, component: Component, what: str) -> None:
        line = _("line %(line)d") % {"line": component.line}
        title = clean_line(component.text("SUMMARY"))
        self.problems.append(Problem(f"{title} ({line})" if title else line, what))


def _guid(component: Component, identity: datetime) -> str:
    """Return what tells one time of a component that recurs from its others, even after it was moved."""
    return (
        f"{component.text('UID').strip()}/{identity:%Y%m%dT%H%M%SZ}" if component.text("UID").strip() else ""
    )
