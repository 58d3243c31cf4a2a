"""Reads iCalendar files (RFC 5545): each VEVENT as its occasions on the festival's days."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.questions import Question
from programme.exchange.readers.ical.lines import Component, decode_entities, parse_calendars
from programme.exchange.readers.ical.recurrence import (
    CalendarWindow,
    ComponentTime,
    build_single_time,
    find_recurring_times,
    is_recurring,
)
from programme.exchange.readers.ical.rules import RuleError
from programme.exchange.readers.ical.zones import Zones
from programme.exchange.text.lines import split_address
from programme.exchange.time_limit import check_time
from programme.exchange.values import (
    Conference,
    Entry,
    ImportDefaults,
    Problem,
    Schedule,
    UnreadableFileError,
)
from programme.exchange.workbook import NO, confirm
from programme.models.cleaning import clean_line

# The key of the question.
_ADDRESSES = "addresses"
_NOT_PUBLIC = {"PRIVATE", "CONFIDENTIAL"}


def read_calendar(content: bytes, defaults: ImportDefaults) -> Schedule:
    """Return the schedule in an iCalendar file, which holds at least one calendar with an event."""
    calendars = parse_calendars(content)
    problems: list[Problem] = []
    readers = [_CalendarReader(calendar, defaults, problems) for calendar in calendars]
    entries = tuple(_limit_number(entry for reader in readers for entry in reader.entries()))
    if not entries:
        reasons = "; ".join(f"{problem.where}: {problem.what}" for problem in problems[:3])
        raise UnreadableFileError(_("it names no event") + (f" ({reasons})" if reasons else ""))
    unread = tuple(entry for reader in readers for entry in reader.unread)
    questions: tuple[Question, ...] = ()
    if divided := dict(chain.from_iterable(reader.divided for reader in readers)):
        name, address = next(iter(divided.items()))
        text = _("Places with an address: %(count)d, such as “%(name)s” at “%(address)s”. Is that right?")
        text %= {"count": len(divided), "name": name, "address": address}
        questions = (confirm(defaults.answers, _ADDRESSES, text),)
    return Schedule(_conference(calendars), entries, tuple(problems), unread, questions)


def _limit_number(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries, and stop with the first above the limit: what recurs may stand for very many."""
    for number, entry in enumerate(entries):
        check_time()
        if number == settings.IMPORT_ROWS:
            message = _("it has more than %(most)s occasions: divide it into several files")
            raise UnreadableFileError(message % {"most": settings.IMPORT_ROWS})
        yield entry


def _conference(calendars: list[Component]) -> Conference:
    def first(*names: str) -> str:
        texts = (calendar.text(name) for name in names for calendar in calendars)
        return next((text for text in texts if text.strip()), "")

    return Conference(
        title=first("NAME", "X-WR-CALNAME", "X-DISPLAY-NAME", "SUMMARY"),
        acronym=first("X-WR-RELCALID", "UID"),
    )


class _CalendarReader:
    def __init__(self, calendar: Component, defaults: ImportDefaults, problems: list[Problem]) -> None:
        self.calendar = calendar
        self.problems = problems
        zones = Zones(calendar, defaults.time.zone, lambda *problem: problems.append(Problem(*problem)))
        self.window = CalendarWindow(zones, defaults.time, defaults.days)
        self.unread: list[Entry] = []
        self.whole_days: set[int] = set()
        self.divides = defaults.answers.get(_ADDRESSES) != NO
        # Names of places with their addresses, as they are divided.
        self.divided: list[tuple[str, str]] = []

    def entries(self) -> Iterator[Entry]:
        self._report_others()
        for components, exceptions in self._group_series():
            for component in components:
                if is_recurring(component):
                    yield from self._recurring(component, exceptions)
                else:
                    yield self._single(component)
            if not any(map(is_recurring, components)):
                # The series itself is not in the file.
                yield from map(self._single, exceptions)

    def _group_series(self) -> Iterable[tuple[list[Component], list[Component]]]:
        """Return the components of each identifier: those without RECURRENCE-ID, and exceptions from them."""
        series: dict[str, tuple[list[Component], list[Component]]] = defaultdict(lambda: ([], []))
        for component in self.calendar.components:
            if component.name == "VEVENT" and component.keyword("CLASS") not in _NOT_PUBLIC:
                uid = component.text("UID").strip()
                is_exception = uid and self.window.find_time(component, "RECURRENCE-ID")
                # Each component without an identifier is an event of its own.
                series[uid or f"\n{component.line}"][1 if is_exception else 0].append(component)
        return series.values()

    def _single(self, component: Component) -> Entry:
        start = self.window.find_time(component, "DTSTART")
        if start is None:
            return self._entry(component)
        time = build_single_time(component, start, self.window)
        self._report_whole_day(component)
        return self._entry(component, time, has_identity=component.find("RECURRENCE-ID") is not None)

    def _recurring(self, component: Component, exceptions: list[Component]) -> Iterator[Entry]:
        check_time()
        try:
            times, has_others = find_recurring_times(component, exceptions, self.window)
        except (ValueError, OverflowError) as error:
            reason = str(error) if isinstance(error, RuleError) else _("its times cannot be")
            self._report(component, _("left out: %(reason)s") % {"reason": reason}, left_out=True)
            self.unread.append(self._entry(component))
            return
        if not self.window.find_time(component, "DTSTART"):
            yield self._entry(component)
            return
        if has_others:
            what = _("%(taken)d of its times are on festival days; the others are left out")
            self._report(component, what % {"taken": len(times)})
        for time in times:
            self._report_whole_day(time.component)
            yield self._entry(time.component, time, has_identity=True)

    def _entry(
        self, component: Component, time: ComponentTime | None = None, *, has_identity: bool = False
    ) -> Entry:
        uid = component.text("UID").strip()
        place = component.text("LOCATION").replace("\r", "").strip()
        where, *address = map(decode_entities, place.split("\n"))
        if not address and all(divided := split_address(where)):
            self.divided.append(divided)
            where, *address = divided if self.divides else (where,)
        organizer = component.find("ORGANIZER")
        title, kinds = component.find("SUMMARY"), component.find_all("CATEGORIES")
        start = component.find("DTSTART")
        clock = self.window.find_clock(component)
        cancelled = component.keyword("STATUS") == "CANCELLED" or self.calendar.keyword("METHOD") == "CANCEL"
        return Entry(
            place=component.place,
            code=uid,
            uid=uid,
            # Identifies one time of a series even after it was moved.
            guid=f"{uid}/{time.identity:%Y%m%dT%H%M%SZ}" if uid and time and has_identity else "",
            title=decode_entities(title.text) if title else "",
            description=component.text("DESCRIPTION"),
            type=decode_entities("; ".join(chain.from_iterable(each.texts for each in kinds))),
            text_language=title.parameters.get("LANGUAGE", "") if title else "",
            url=component.text("URL"),
            logo=component.text("IMAGE"),
            state="cancelled" if cancelled else "",
            location=where,
            address=", ".join(filter(None, map(clean_line, address))),
            coordinates=component.text("GEO") or component.text("X-APPLE-STRUCTURED-LOCATION"),
            persons=(decode_entities(organizer.parameters.get("CN", "")),) if organizer else (),
            date=time.start.astimezone(clock).isoformat() if time else "",
            end=time.end.astimezone(clock).isoformat() if time and time.end else "",
            day=start.value if start and not time else "",
        )

    def _report_others(self) -> None:
        """Report components that are no events, and events that are private."""
        kinds = Counter(component.name for component in self.calendar.components)
        for name, count in kinds.items():
            if name not in {"VEVENT", "VTIMEZONE"}:
                what = _("%(name)s left out, because it is no event: %(count)d")
                self.problems.append(Problem(self.calendar.place, what % {"count": count, "name": name[:40]}))
        if hidden := sum(each.keyword("CLASS") in _NOT_PUBLIC for each in self.calendar.components):
            what = _("marked as private, and left out: %(count)d (make public what is to be imported)")
            self.problems.append(Problem(self.calendar.place, what % {"count": hidden}))

    def _report_whole_day(self, component: Component) -> None:
        start = self.window.find_time(component, "DTSTART")
        if component.line not in self.whole_days and start and not isinstance(start, datetime):
            self.whole_days.add(component.line)
            self._report(component, _("has no time of day, and stands for the whole festival day"))

    def _report(self, component: Component, what: str, *, left_out: bool = False) -> None:
        self.problems.append(Problem(component.label, what, left_out=left_out))
