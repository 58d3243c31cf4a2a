"""One PostgreSQL query that builds the array of `/api/events.json`, as a reference.

It is optimized: the shared parts of elements (area with its days, organizer, place, an event's occasions) are
built once, in materialized CTEs of type `json`, which PostgreSQL copies into an element as text; counts are
added up per event first; day labels are built once per day. Call `prepare` for its session.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import set_json_loads

from feeds.transitions import UPDATED_FOR
from feeds.vocabulary import Site
from feeds.wording import WORDS

# JIT costs more than it saves here, and nothing needs to spill to disk.
SETTINGS = {"jit": "off", "work_mem": "256MB"}

WHOLE = "true"
OF_AREAS = "e.area_id IN (SELECT id FROM programme_area WHERE name = ANY(%(areas)s))"

QUERY = Path(__file__).with_suffix(".sql").read_text()

# An ISO 8601 timestamp with six digits, in the session's zone.
TIMESTAMP = "to_char({column}, 'YYYY-MM-DD\"T\"HH24:MI:SS.USTZH:TZM')"


def prepare(cursor: psycopg.Cursor[Any], site: Site) -> None:
    """Set the best settings for the query, the festival's time zone and the order of names."""
    cursor.execute("CREATE COLLATION IF NOT EXISTS of_names (provider = icu, locale = 'sv-u-kn-true')")
    for name, value in {**SETTINGS, "TimeZone": site.time.zone_name}.items():
        cursor.execute("SELECT set_config(%s, %s, false)", (name, value))


def query(condition: str) -> str:
    """Return the query for events that meet a condition on `e`."""
    return QUERY.format(
        condition=condition,
        changed_at=TIMESTAMP.format(column="marked.at"),
        last_modified=TIMESTAMP.format(column="e.last_modified"),
    )


def parameters(site: Site, now: datetime, media_url: str, areas: Sequence[str]) -> dict[str, Any]:
    words = WORDS["sv"]
    return {
        "zone": site.time.zone_name,
        "first_hour": site.time.first_hour,
        "base_url": site.base_url,
        "media_url": media_url,
        "now": now,
        "today": site.time.local(now).date(),
        "updated_for": UPDATED_FOR,
        "areas": list(areas),
        "yesterday_label": words.yesterday,
        "today_label": words.today,
        "tomorrow_label": words.tomorrow,
        "days": list(words.days),
        "days_short": list(words.days_short),
        "months": list(words.months),
        "months_short": list(words.months_short),
    }


def fetch(
    cursor: psycopg.Cursor[Any], site: Site, now: datetime, media_url: str, areas: Sequence[str] = ()
) -> bytes:
    """Return the array as PostgreSQL writes it, of the named areas or of the whole programme."""
    # As bytes, because psycopg would decode it, and a cast to text costs the server a copy.
    set_json_loads(bytes, cursor)
    cursor.execute(query(OF_AREAS if areas else WHOLE), parameters(site, now, media_url, areas))
    row = cursor.fetchone()
    array: bytes = row[0] if row else b""
    return array
