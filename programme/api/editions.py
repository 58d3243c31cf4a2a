"""The edition of the festival that a request refers to."""

from datetime import datetime

from django.http import QueryDict

from feeds.selection import Selection
from programme.api.fields import MAX_QUOTED, EditionField, InvalidParametersError
from programme.publishing.current import UnknownEdition, current
from programme.publishing.other_editions import find_last
from programme.publishing.serving_snapshot import ServingSnapshot

EDITION = EditionField()


def find_snapshot(
    instant: datetime, query: QueryDict, occasion_id: int | None = None, location_id: int | None = None
) -> ServingSnapshot:
    """Return the snapshot of the edition of a query or an occasion, else of the current edition.

    For a place without occasions in the current edition it is the last edition with any. Raise
    `InvalidParametersError` for an unknown edition.
    """
    asked = EDITION.clean(query.getlist("edition"))
    try:
        if location_id is not None and not asked:
            occasion_id = _find_last(instant, location_id)
        if occasion_id is None:
            return current.at(instant, asked)
        if asked:
            # The named edition must exist, although the occasion decides.
            current.at(instant, asked)
        return current.holding(occasion_id, instant)
    except UnknownEdition as error:
        known = ", ".join(error.known) or "none"
        message = f"{asked[:MAX_QUOTED]!r} is no edition. Available editions: {known}."
        raise InvalidParametersError("no_edition", message, asked) from error


def _find_last(instant: datetime, location_id: int) -> int | None:
    """Return an occasion of the last edition in a place, None if the current edition has any or none has."""
    present = current.at(instant)
    location_id = present.programme.merged.get("location", {}).get(location_id, location_id)
    if not present.programme.editions or present.find(Selection(locations=(str(location_id),))):
        return None
    return current.ask(lambda: find_last(location_id, present.programme))
