"""A listing as a conference schedule, by festival days and rooms, as both dialects of frab write it.

The format is that of schedule.xml and schedule.json, whose schemas are kept by the C3VOC (voc/schedule).
"""

import re
from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.utils.encoding import iri_to_uri
from django.utils.text import slugify

from feeds.festival_time import ONE_DAY
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import LanguageCode, Occasion, Site

GENERATOR, VERSION = "Festival programme", "1"
SLOT = "00:05"
# The format has no other place for a cancellation: it stands before the title.
CANCELLED_PREFIXES = {"sv": "[INSTÄLLT] ", "en": "[CANCELLED] "}
_SHORTEST_ACRONYM, _LONGEST_ACRONYM, _LONGEST_SLUG = 4, 30, 40
_MOST_DAYS = 23


class ScheduleDay(NamedTuple):
    """A festival day with its rooms by name, each with its occasions in order."""

    number: int
    date: date
    begins: datetime
    ends: datetime
    rooms: dict[str, list[Occasion]]


class Schedule(NamedTuple):
    """A conference with the festival days on which something begins, at least one."""

    title: str
    acronym: str
    version: str
    base_url: str
    time_zone: str
    days: list[ScheduleDay]

    @property
    def first_date(self) -> str:
        return self.days[0].date.isoformat()

    @property
    def last_date(self) -> str:
        return self.days[-1].date.isoformat()


def build_schedule(listing: Listing) -> Schedule:
    return Schedule(
        title=listing.title,
        acronym=build_acronym(listing),
        version=f"{listing.modified:%Y-%m-%d %H:%M}",
        base_url=f"{listing.site.base_url}/",
        time_zone=listing.site.time.zone_name,
        days=_days(listing),
    )


def build_acronym(listing: Listing) -> str:
    """Return the festival's name in small letters and digits, with its year, the same in each selection."""
    programme = listing.snapshot.programme
    year = f"{_first_day(listing).year}" if programme.occasions else ""
    name = slugify(programme.festival.name.within("sv")).replace("-", "_")[:_LONGEST_ACRONYM].strip("_")
    return f"{name}{year}".ljust(_SHORTEST_ACRONYM, "_")


def _first_day(listing: Listing) -> date:
    """Return the programme's first festival day; without any, the one on which the festival was saved."""
    programme = listing.snapshot.programme
    if not programme.occasions:
        return listing.site.time.day_of(programme.festival.saved_at)
    return programme.span(programme.occasions[0]).day


def _days(listing: Listing) -> list[ScheduleDay]:
    time, programme = listing.site.time, listing.snapshot.programme
    found: dict[date, dict[str, list[Occasion]]] = defaultdict(lambda: defaultdict(list))
    for occasion in listing.occasions:
        found[programme.span(occasion).day][name_room(occasion)].append(occasion)
    # The schema of XML demands a day, with its dates.
    days = sorted(found) or [_first_day(listing)]
    return [
        ScheduleDay(
            number,
            day,
            time.local(time.day_begins(day)),
            time.local(time.day_begins(day + ONE_DAY)),
            found[day],
        )
        for number, day in enumerate(days, start=1)
    ]


def name_room(occasion: Occasion) -> str:
    """Return the name of a place in a format that only has rooms, which demands one."""
    return occasion.place.full_name if occasion.place else occasion.event.area.name


def describe(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> dict[str, str]:
    """Return the texts of an occasion by the names that both dialects have for them, in JSON's order."""
    event = occasion.event
    start = site.time.span(occasion.start, occasion.end).start
    prefix = CANCELLED_PREFIXES[language] if occasion.cancelled else ""
    return {
        "room": name_room(occasion),
        "title": prefix + event.title,
        "subtitle": event.intro.within(language),
        "type": event.type.name.within(language),
        "date": start.isoformat(),
        "start": start.isoformat()[11:16],
        "duration": format_duration(occasion.end - occasion.start),
        "abstract": event.description.within(language),
        "slug": f"{acronym}-{occasion.id}-{_slug(event.title)}",
        "track": event.area.name,
        "logo": _uri(event.image_url),
        "language": event.language.code if event.language else "",
        "url": site.occasion_url(occasion.identity, language),
    }


@memoize
def _slug(title: str) -> str:
    words = re.sub("[^a-z0-9]+", "-", slugify(title))[:_LONGEST_SLUG].strip("-")
    # With a number of one digit before it, a slug must have four characters.
    return words if len(words) > 1 else "programme"


def find_link(occasion: Occasion) -> str:
    """Return the web page with more about an event, which stands among its links."""
    return _uri(occasion.event.external_url)


@memoize
def _uri(address: str) -> str:
    """Return a web address in ASCII, as the schemas demand; '' of anything else."""
    if not address.startswith(("http://", "https://")):
        return ""
    return iri_to_uri(address).replace("[", "%5B").replace("]", "%5D")


def format_duration(length: timedelta) -> str:
    """Return a duration in hours and minutes, `01:30`; begun minutes count."""
    hours, minutes = divmod(-(-length // timedelta(minutes=1)), 60)
    return f"{hours:02}:{minutes:02}"


def write_days(duration: str) -> str:
    """Return a duration in hours and minutes as schedule.xml has it: from 24 hours on with days, `2:06:00`.

    EventFahrplan reads the days. Giggity takes all parts for a clock time, and refuses a whole schedule for
    one that no clock shows: from 24 days on, the longest that it loads is written.
    """
    hours, minutes = map(int, duration.split(":"))
    days, rest = divmod(hours, 24)
    if days > _MOST_DAYS:
        return f"{_MOST_DAYS}:23:59"
    return f"{days}:{rest:02}:{minutes:02}" if days else duration
