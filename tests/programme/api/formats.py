"""The formats of the interface, those that there are, and when what is gone in these tests went."""

from datetime import UTC, datetime

from feeds.formats import FORMATS

# By extension, as the interface has them: a format that is added does not stand here.
SENT_AS = {
    "json": "application/json",
    "atom": "application/atom+xml",
    "rss": "application/rss+xml",
    "rss-wp": "application/rss+xml",
    "ics": "text/calendar; charset=utf-8",
    "ics-text": "text/plain; charset=utf-8",
    "bbcode": "text/plain; charset=utf-8",
    "qx1": "text/html; charset=utf-8",
}
# What a response with status 406 offers.
AVAILABLE = [{"extension": each.extension, "media_types": list(each.media_types)} for each in FORMATS]

GONE_AT = datetime(2026, 7, 28, 9, 0, tzinfo=UTC)
