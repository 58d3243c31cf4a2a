"""Reads facts of events of the Linked Events API: for whom they are, of what age, free, and how to book."""

import re
from collections.abc import Iterable
from datetime import tzinfo
from typing import Any

from feeds.fact import LARGEST, build_range
from feeds.facts import AGE, AUDIENCE, BOOKING, FREE
from programme.exchange.readers.entries import parse_instant
from programme.exchange.readers.fields import as_dict, as_dicts, parse_web_address, read_text

# YSO tells its terms apart by what stands in brackets: `barn (åldersgrupper)`.
_BRACKETS = re.compile(r"\s*\(.*\)$")


def read_facts(event: dict[str, Any], names: Iterable[str], zone: tzinfo) -> dict[str, Any]:
    """Return the facts as they are stored; the names are those of audiences and keywords."""
    codes = (AUDIENCE.parse(_BRACKETS.sub("", name)) for name in names)
    offers = as_dicts(event.get("offers"))
    link = event.get("enrolment_url")
    link = link if isinstance(link, str) else next(map(str, filter(None, as_dict(link).values())), "")
    return {
        AUDIENCE.name: " ".join(AUDIENCE.split(" ".join(filter(None, codes)))),
        AGE.name: _read_age(event),
        # What is not free for all is as its prices say.
        FREE.name: "true" if offers and all(offer.get("is_free") for offer in offers) else "",
        BOOKING.name: BOOKING.linked if link or event.get("registration") else "",
        "booking_url": parse_web_address(link),
        "booking_from": parse_instant(read_text(event, "enrolment_start_time"), zone),
    }


def _read_age(event: dict[str, Any]) -> str:
    first, last = (event.get(f"audience_{end}_age") for end in ("min", "max"))
    usable = [each if type(each) is int and 0 <= each <= LARGEST else None for each in (first, last)]
    try:
        return build_range(*usable)
    except ValueError:
        return ""
