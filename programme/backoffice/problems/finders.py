"""What finds the problems of each kind in the programme."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from msgspec.structs import fields

from feeds.editions import find_festival_days
from feeds.fact import FactKind
from feeds.facts import FREE, derive_free, facts_of
from feeds.festival_time import ONE_DAY
from feeds.vocabulary import LanguageCode, Location, Text
from feeds.wording import EN_DASH, format_clock
from programme import models
from programme.backoffice.forms.facts import NOTHING
from programme.backoffice.problems import problem
from programme.backoffice.programme import EditorEvent, EditorOccasion, EditorProgramme
from programme.exchange.suspicion.finders import find_clashes
from programme.models.facts import localize_later

DOUBLE_BOOKED, OUTSIDE_EDITIONS, OUTSIDE_HOURS = "double-booked", "no-edition", "outside-hours"
UNMAPPED = "no-coordinates"
# Narrows the list of locations to those of that problem.
LACKING = ("coordinates", "lacking")
# The form takes an end at or before the start for one in the night after: 14:00-13:00 are 23 hours.
LONGEST_NIGHT = dt.timedelta(hours=12)
# By their places in what an occasion and a location state.
_LINKED = [(place, fact) for place, fact in enumerate(facts_of("occasion")) if fact.linked]
_OF_PLACES = [
    (place, fact) for place, fact in enumerate(facts_of("location")) if fact.kind is FactKind.STATES
]

Found = Iterator[problem.ProgrammeProblem]
Find = Callable[[EditorProgramme], Found]
# By key, the worst first.
KINDS: dict[str, problem.ProblemKind] = {}
NO_ENGLISH = "no-english"


def _finds(severity: problem.Severity, key: str, *words: Any, told: bool = False) -> Callable[[Find], Find]:
    def register(find: Find) -> Find:
        KINDS[key] = problem.ProblemKind(find, told, severity, key, *words)
        return find

    return register


_wrong, _check, _incomplete = (partial(_finds, severity) for severity in problem.Severity)


def _build(
    held: list[EditorOccasion], detail: problem.StrOrPromise, *links: problem.ProblemLink, **values: Any
) -> problem.ProgrammeProblem:
    """Return a problem of occasions in order: it is over with the last of them."""
    own: dict[str, Any] = {
        "title": held[0].event.title,
        "areas": frozenset(each.event.area.id for each in held),
        "days": tuple(sorted({each.day for each in held})),
        "span": problem.TimeRange(held[0].start, held[0].end),
        "draft": all(each.event.draft for each in held),
        "until": max(each.end for each in held),
    }
    return problem.ProgrammeProblem(detail=detail, links=links, **own | values)


def _link_time(each: EditorOccasion, field: str, *facts: Any) -> problem.ProblemLink:
    span = problem.TimeRange(each.start, each.end)
    return problem.ProblemLink(each.event.title, "occasion", each.id, field, span, facts, event=each.event)


def _build_of_event(
    programme: EditorProgramme, event: EditorEvent, detail: problem.StrOrPromise, field: str, *facts: Any
) -> problem.ProgrammeProblem:
    link, areas = _link_event(event, field, *facts), frozenset({event.area.id})
    until = programme.end_of(event.id)
    return problem.ProgrammeProblem(event.title, detail, (link,), areas, draft=event.draft, until=until)


def _link_event(event: EditorEvent, field: str, *facts: Any) -> problem.ProblemLink:
    return problem.ProblemLink(event.title, "event", event.id, field, facts=facts, event=event)


def _build_of_rows(
    programme: EditorProgramme,
    found: list[EditorOccasion],
    detail: problem.StrOrPromise,
    field: str,
    *facts: Any,
) -> problem.ProgrammeProblem:
    """Return one problem of several occasions of an event, with a link to the first in the event's form."""
    event = found[0].event
    name = problem.name_row_field(programme.by_event[event.id].index(found[0]), field)
    link = _link_event(event, name, *sorted(each.id for each in found), *facts)
    return _build(found, detail, link, spans=tuple(problem.TimeRange(each.start, each.end) for each in found))


# --- What is wrong --------------------------------------------------------------------------------


@_wrong(
    DOUBLE_BOOKED,
    _("Double-booked places"),
    _("Move one, or mark the place as open to several at once."),
    told=True,
)
def find_double_bookings(programme: EditorProgramme) -> Found:
    for clash in find_clashes(programme.occasions.values()):
        ends = max(each.end for each in clash)
        days = (programme.festival.day_of(ends - dt.timedelta.resolution) - clash[0].day).days + 1
        yield _build(
            clash,
            format_lazy(_("{count} occasions at the same time"), count=len(clash)),
            *(_link_time(each, "start_time", each.start, each.end, each.takes) for each in clash),
            title=clash[0].place.full_name if clash[0].place else "",
            days=tuple(clash[0].day + number * ONE_DAY for number in range(days)),
            span=problem.TimeRange(clash[0].start, ends),
        )


@_wrong(
    "sub-area",
    _("Sub area under another area"),
    _("Readers of one area would miss it, or find it where it is not."),
)
def find_wrong_sub_areas(programme: EditorProgramme) -> Found:
    areas = programme.rows[models.Area]
    for event in programme.events.values():
        if event.sub_area and (area := event.sub_area.area_id) != event.area.id:
            name = event.sub_area.name
            detail = format_lazy(_("{sub_area} is in {area}"), sub_area=name, area=areas[area].name)
            yield _build_of_event(programme, event, detail, "sub_area", event.area.id, area, name)


@_wrong(
    OUTSIDE_EDITIONS,
    _("Outside all editions"),
    _("Readers do not see it: it is published, but on a day of no edition."),
    told=True,
)
def find_outside_editions(programme: EditorProgramme) -> Found:
    editions = programme.editions
    for each in programme.occasions.values():
        if editions and not each.event.draft and not any(edition.holds(each.day) for edition in editions):
            # Readers miss what is over, too.
            link = _link_time(each, "day", each.start)
            yield _build([each], _("No edition has this day."), link, until=None)


# --- What is to be checked ------------------------------------------------------------------------


@_check(
    "no-festival",
    _("Outside the festival’s days"),
    _("Nearly everything else is on other days. Once it is published, readers see it among them."),
)
def find_outside_festival(programme: EditorProgramme) -> Found:
    """Yield drafts on a day of no edition; without editions, what is on none of the festival's days."""
    stated = {day.date for area in programme.rows[models.Area].values() for day in area.days}
    days = find_festival_days(stated, [each.day for each in programme.occasions.values()])
    for each in programme.occasions.values():
        is_known = each.cancelled or programme.festival.is_on(each, days)
        if programme.editions:
            is_known = not each.event.draft or any(one.holds(each.day) for one in programme.editions)
        if not is_known:
            yield _build([each], _("Is the date right?"), _link_time(each, "day", each.start))


@_check(
    "end-before-start",
    _("Is the end right?"),
    _("An end at or before the start counts as the next day."),
    told=True,
)
def find_reversed_times(programme: EditorProgramme) -> Found:
    for each in programme.occasions.values():
        length = each.end - each.start
        if length > LONGEST_NIGHT and not each.cancelled:
            first, last = map(programme.festival.local, (each.start, each.end))
            if last.date() - first.date() == ONE_DAY and last.time() <= first.time():
                hours = round(length / dt.timedelta(hours=1))
                detail = format_lazy(_("{hours} hours, into the next day. Is the end right?"), hours=hours)
                yield _build([each], detail, _link_time(each, "end_time", each.start, each.end))


@_check(
    OUTSIDE_HOURS,
    _("Outside opening hours"),
    _("Change the occasion, or the hours of the area that day."),
    told=True,
)
def find_outside_hours(programme: EditorProgramme) -> Found:
    """Yield what is held while its area is closed; what is online or goes on for days has no hours."""
    for each in programme.occasions.values():
        hours = programme.hours.get((each.event.area.id, each.day))
        if not hours or each.cancelled or (each.place and each.place.location.online):
            continue
        day, begins, ends = hours
        is_outside = (day.opens and each.start < begins) or (day.closes and each.end > ends)
        if is_outside and not programme.festival.is_long(each.start, each.end):
            times = EN_DASH.join(format_clock(time) if time else "?" for time in (day.opens, day.closes))
            detail = format_lazy(_("The area is open {hours}"), hours=times)
            link = _link_time(each, "start_time", each.start, each.end, day.opens, day.closes)
            yield _build([each], detail, link)


@_check("no-occasion", _("No occasion"), _("Readers do not see an event before it has an occasion."))
def find_missing_occasions(programme: EditorProgramme) -> Found:
    for event in programme.events.values():
        if event.id not in programme.by_event:
            field = problem.name_row_field(0, "day")
            yield _build_of_event(programme, event, _("Readers do not see it."), field, event.status)


@_check("no-location", _("No location"), _("Readers cannot tell where to go."), told=True)
def find_missing_locations(programme: EditorProgramme) -> Found:
    for rows in programme.by_event.values():
        if found := [each for each in rows if not (each.place or each.cancelled)]:
            count = {"count": len(found), "total": len(rows)}
            detail = format_lazy(_("{count} of {total} occasions"), **count) if len(rows) > 1 else ""
            yield _build_of_rows(programme, found, detail, "place")


@_check(
    "no-booking-link", _("No booking link"), _("Readers cannot book what they are told to book."), told=True
)
def find_missing_links(programme: EditorProgramme) -> Found:
    for rows in programme.by_event.values():
        lacking = [each for each in rows if not (each.booking_url or each.cancelled or each.event.ticket_url)]
        for place, fact in _LINKED:
            if found := [each for each in lacking if each.stated[place] == fact.linked]:
                labels = localize_later(fact.title), localize_later(fact.label(fact.linked))
                detail = format_lazy("{}: {}", *labels)
                yield _build_of_rows(programme, found, detail, "booking_url", fact.linked)


@_check(
    "price-contradicts",
    _("Price and free admission contradict"),
    _("Readers look for what is free, and find something else."),
    told=True,
)
def find_contradicted_prices(programme: EditorProgramme) -> Found:
    for event in programme.events.values():
        derived = derive_free(event.price) if event.free else ""
        if derived and derived != event.free:
            labels = {"price": event.price, "fact": localize_later(FREE.label(event.free))}
            detail = format_lazy(_("The price is “{price}”, but: {fact}"), **labels)
            yield _build_of_event(programme, event, detail, FREE.name, event.free, event.price)


# --- What is incomplete ---------------------------------------------------------------------------


def find_missing_texts(programme: EditorProgramme, language: LanguageCode) -> Found:
    """Yield the rows that have texts in the other language alone."""
    if any(language not in each.languages for each in programme.rows[models.Festival].values()):
        return
    for model, rows in programme.rows.items():
        names = [each for kind in {*map(type, rows.values())} for each in list_texts(kind)]
        for key, row in rows.items():
            if absent := [each for each in names if getattr(row, each).find_other_language(language)]:
                yield _build_of_texts(programme, model, key, row, [f"{each}_{language}" for each in absent])


def list_texts(kind: type[Any]) -> list[str]:
    """Return the names of what a value has in two languages."""
    return [each.name for each in fields(kind) if each.type is Text]


def _build_of_texts(
    programme: EditorProgramme, model: Any, key: int, row: Any, absent: list[str]
) -> problem.ProgrammeProblem:
    meta = model._meta
    names = [meta.get_field(name).verbose_name for name in absent]
    labels = format_lazy(", ".join("{}" for _name in names), *names)
    if isinstance(row, EditorEvent):
        return _build_of_event(programme, row, labels, *absent[:1], *absent)
    title = row.name.sv if isinstance(row.name, Text) else row.name
    area = key if model is models.Area else getattr(row, "area_id", None)
    link = problem.ProblemLink(title, meta.model_name, key, absent[0], facts=(*absent,))
    detail = format_lazy("{} · {}", meta.verbose_name, labels)
    return problem.ProgrammeProblem(title, detail, (link,), frozenset({area} if area else ()))


_incomplete("no-swedish", _("Missing in Swedish"), _("Swedish readers get the English text."), told=True)(
    partial(find_missing_texts, language="sv")
)
_incomplete(NO_ENGLISH, _("Missing in English"), _("English readers get the Swedish text."), told=True)(
    partial(find_missing_texts, language="en")
)


def find_lacking(  # noqa: PLR0913 - all that differs between them
    programme: EditorProgramme,
    *,
    lacks: Callable[[Location], bool],
    title: Any,
    detail: problem.StrOrPromise,
    field: str,
    chosen: str,
    **words: problem.StrOrPromise,
) -> Found:
    """Yield one problem of all places that lack something and where something is held.

    It is of no area: editors of areas cannot change places.
    """
    used = defaultdict[Location, list[EditorOccasion]](list)
    for each in programme.occasions.values():
        if each.place and not (each.place.location.online or each.cancelled):
            used[each.place.location].append(each)
    if lacking := sorted((place for place in used if lacks(place)), key=lambda place: place.id):
        held = [each for place in lacking for each in used[place]]
        name = format_lazy(title, count=len(lacking), total=len(used), **words)
        facts = tuple(place.id for place in lacking)
        link = problem.ProblemLink(name, "location", 0, field, facts=facts, filter=chosen)
        yield _build(held, detail, link, title=name, areas=frozenset(), days=(), span=None)


_incomplete(
    UNMAPPED,
    _("Places without coordinates"),
    _("Readers get no link to a map, and no way there in their calendars."),
)(
    partial(
        find_lacking,
        lacks=lambda place: place.latitude is None or place.longitude is None,
        title=_("{count} of {total} places without coordinates"),
        detail=_("Paste the address of a map into each."),
        field="latitude",
        chosen="=".join(LACKING),
    )
)
for _place, _fact in _OF_PLACES:
    _title = localize_later(_fact.title)
    _why = _("Readers who need it cannot tell whether they can come.")
    _incomplete(f"no-{_fact.name}", format_lazy(_("Places without: {fact}"), fact=_title), _why)(
        partial(
            find_lacking,
            lacks=lambda place, stated=_place: not place.stated[stated],  # type: ignore[misc]  # has a default
            title=_("{count} of {total} places without: {fact}"),
            detail=_("Say yes or no of each, where you know."),
            field=_fact.name,
            chosen=f"{_fact.name}={NOTHING}",
            fact=_title,
        )
    )
