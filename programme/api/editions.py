"""Which edition of the festival a request is about."""

from datetime import datetime

from django.http import QueryDict

from programme.api.fields import MAX_QUOTED, EditionField, ErrorKind, InvalidParametersError
from programme.publishing.current import UnknownEdition, current
from programme.publishing.serving_snapshot import ServingSnapshot

EDITION = EditionField(
    "The edition of the festival, by its name in addresses: one of `editions` in /api/programme."
    " Without it, the current one."
)


def find_snapshot(instant: datetime, query: QueryDict, occasion_id: int | None = None) -> ServingSnapshot:
    """Return the snapshot of the edition that a query asks for, or that has an occasion, or that is current.

    Raises `InvalidParametersError`.
    """
    asked = EDITION.clean(query.getlist("edition"))
    try:
        if occasion_id is not None and not asked:
            return current.holding(occasion_id, instant)
        return current.at(instant, asked)
    except UnknownEdition as error:
        known = ", ".join(error.known) or "none"
        message = f"{asked[:MAX_QUOTED]!r} is no edition. Available editions: {known}."
        raise InvalidParametersError(ErrorKind.NO_EDITION, message, asked) from error
