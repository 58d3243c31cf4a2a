"""schedule.xml: a conference schedule as frab, pretalx and the apps of conferences read it."""

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from feeds import schedule
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.schedule import Schedule, ScheduleDay
from feeds.syndication import escape, write_element
from feeds.vocabulary import LanguageCode, Occasion, Site, Text

# In the order of frab's own files.
_ELEMENTS = (
    *("room", "title", "subtitle", "type", "date", "start", "duration", "abstract", "slug", "track", "logo"),
    *("language", "description"),
)


class FrabXmlFormat(Format):
    extension = "frab-xml"
    # What apps ask for by its address alone; `Accept` chooses Atom of this type.
    media_types = ()
    sent_as = "application/xml"
    rank = 82
    label = Text(sv="frab XML", en="frab XML")
    purpose = Text(sv="för konferensappar (Giggity, Fahrplan)", en="for conference apps (Giggity, Fahrplan)")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        built = schedule.build_schedule(listing)
        lines = [
            '<?xml version="1.0" encoding="utf-8"?>',
            "<schedule>",
            f"  <generator name={quoteattr(schedule.GENERATOR)} version={quoteattr(schedule.VERSION)}/>",
            f"  <version>{built.version}</version>",
            "  <conference>",
            *(f"    <{name}>{escape(text)}</{name}>" for name, text in _conference(built).items()),
            "  </conference>",
            *(line for day in built.days for line in _day(day, built.acronym, listing)),
            "</schedule>",
            "",
        ]
        return "\n".join(lines).encode()


def _conference(built: Schedule) -> dict[str, str]:
    return {
        "title": built.title,
        "acronym": built.acronym,
        "start": built.first_date,
        "end": built.last_date,
        "days": str(len(built.days)),
        "timeslot_duration": schedule.SLOT,
        "base_url": built.base_url,
        "time_zone_name": built.time_zone,
    }


def _day(day: ScheduleDay, acronym: str, listing: Listing) -> Iterator[str]:
    span = f'start="{day.begins.isoformat()}" end="{day.ends.isoformat()}"'
    yield f'  <day index="{day.number}" date="{day.date}" {span}>'
    for name, occasions in day.rooms.items():
        yield f"    <room name={quoteattr(name)}>"
        for occasion in occasions:
            yield f'      <event id="{occasion.id}" guid="{occasion.identity.uuid}">'
            yield _event(occasion, acronym, listing.site, listing.language)
        yield "    </room>"
    yield "  </day>"


@memoize
def _event(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> str:
    texts = schedule.describe(occasion, acronym, site, language) | {"description": ""}
    texts["duration"] = schedule.write_days(texts["duration"])
    lines = [f"        {write_element(name, texts[name])}" for name in _ELEMENTS]
    organizer = occasion.event.organizer
    person = write_element("person", organizer.name, f' id="{organizer.id}"') if organizer else ""
    # Readers of this format look inside without asking whether it is there.
    lines.append(f"        <persons>{person}</persons>")
    if link := schedule.find_link(occasion):
        lines.append(f"        <links><link href={quoteattr(link)}>{escape(link)}</link></links>")
    lines += [f"        {write_element('url', texts['url'])}", "      </event>"]
    return "\n".join(lines)
