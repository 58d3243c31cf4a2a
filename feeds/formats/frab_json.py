"""schedule.json: the conference schedule of schedule.xml, for apps that read JSON."""

from typing import Any

from msgspec import Raw, json

from feeds import schedule
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.schedule import ScheduleDay
from feeds.vocabulary import LanguageCode, Occasion, Site, Text


class FrabJsonFormat(Format):
    extension = "frab-json"
    # What apps ask for by its address alone; `Accept` chooses JSON of this type.
    media_types = ()
    sent_as = "application/json"
    rank = 84
    label = Text(sv="frab JSON", en="frab JSON")
    purpose = Text(
        sv="samma schema för nyare konferensappar", en="the same schedule for newer conference apps"
    )
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        built = schedule.build_schedule(listing)
        conference = {
            "acronym": built.acronym,
            "title": built.title,
            "start": built.first_date,
            "end": built.last_date,
            "daysCount": len(built.days),
            "timeslot_duration": schedule.SLOT,
            "time_zone_name": built.time_zone,
            "days": [_day(day, built.acronym, listing) for day in built.days],
        }
        document = {"version": built.version, "base_url": built.base_url, "conference": conference}
        generator = {"name": schedule.GENERATOR, "version": schedule.VERSION}
        return json.encode({"generator": generator, "schedule": document})


def _day(day: ScheduleDay, acronym: str, listing: Listing) -> dict[str, Any]:
    return {
        "index": day.number,
        "date": day.date,
        "day_start": day.begins.isoformat(),
        "day_end": day.ends.isoformat(),
        "rooms": {
            name: [Raw(_event(each, acronym, listing.site, listing.language)) for each in occasions]
            for name, occasions in day.rooms.items()
        },
    }


@memoize
def _event(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> bytes:
    organizer, link = occasion.event.organizer, schedule.find_link(occasion)
    return json.encode(
        {
            "id": occasion.id,
            "guid": occasion.identity.uuid,
            **schedule.describe(occasion, acronym, site, language),
            "description": "",
            "persons": [{"id": organizer.id, "public_name": organizer.name}] if organizer else [],
            "links": [{"type": "web", "url": link, "title": link}] if link else [],
            "attachments": [],
        }
    )
