"""Links that add an occasion to a calendar: a file, and the forms of web calendars."""

from datetime import UTC
from typing import NamedTuple
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _

from feeds.formats.ics import format_instant
from feeds.listing import build_api_path
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion

GOOGLE = "https://calendar.google.com/calendar/render"
OUTLOOK = "https://outlook.live.com/calendar/deeplink/compose"
OFFICE = "https://outlook.office.com/calendar/deeplink/compose"
# Some web calendars reject addresses of more than 2,000 characters; a letter may take nine.
MAX_TITLE_LENGTH, MAX_TEXT_LENGTH = 80, 160


class CalendarLink(NamedTuple):
    """A calendar to add an occasion to; `is_file` if the link is a file of this service."""

    label: str
    url: str
    is_file: bool = False


def build_calendar_links(
    snapshot: Snapshot, occasion: Occasion, language: LanguageCode
) -> list[CalendarLink]:
    event, place = occasion.event, occasion.place
    title, intro = shorten(event.title, MAX_TITLE_LENGTH), event.intro.within(language)
    url = snapshot.programme.site.occasion_url(occasion.identity, language)
    text = "\n\n".join(filter(None, (shorten(intro, MAX_TEXT_LENGTH), url)))
    named = ", ".join(filter(None, (place.full_name, place.location.address))) if place else ""
    where = shorten(named, MAX_TITLE_LENGTH)
    dates = f"{format_instant(occasion.start)}/{format_instant(occasion.end)}"
    fields = {"action": "TEMPLATE", "text": title, "dates": dates, "details": text, "location": where}
    english = "?language=en" if language == "en" else ""
    return [
        CalendarLink(_("Calendar file (.ics)"), f"{build_api_path(occasion.id)}.ics{english}", is_file=True),
        CalendarLink(_("Google Calendar"), build_url(GOOGLE, **fields)),
        CalendarLink(_("Outlook.com"), _outlook(OUTLOOK, occasion, title, text, where)),
        CalendarLink(_("Outlook for work and school"), _outlook(OFFICE, occasion, title, text, where)),
    ]


def shorten(text: str, longest: int) -> str:
    """Return a text as one line of at most `longest` characters, cut between words if possible."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _outlook(form: str, occasion: Occasion, title: str, text: str, where: str) -> str:
    start, end = (f"{each.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for each in (occasion.start, occasion.end))
    command = {"path": "/calendar/action/compose", "rru": "addevent", "startdt": start, "enddt": end}
    return build_url(form, **command, subject=title, body=text, location=where)


def build_url(form: str, **fields: str) -> str:
    """Return the address of a form, or of a mail program, with the fields that have values."""
    # Outlook shows a space that is encoded as a plus sign as a plus sign.
    return f"{form}?{urlencode({name: value for name, value in fields.items() if value}, quote_via=quote)}"
