"""What edits have changed in the published programme, from which the next programme is derived."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from feeds.vocabulary import Area, Festival, GoneOccasion, Occasion, Revision


class Change(NamedTuple):
    """All that differs between a programme and a later one, and perhaps some of what does not.

    `areas` are all of them, in display order. `event_ids` are the events whose occasions are replaced: by
    `occasions`, what is published of them now, and by `gone`, what is gone of them now, both in any order.
    """

    revision: Revision
    festival: Festival
    areas: tuple[Area, ...]
    published_years: Mapping[int, datetime]
    event_ids: frozenset[int]
    occasions: tuple[Occasion, ...]
    gone: tuple[GoneOccasion, ...]
