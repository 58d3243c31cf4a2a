"""The message after an occasion was moved, and the texts of the page's script."""

import datetime as dt

from django.utils.translation import gettext as _

from feeds.wording import format_clock
from programme.backoffice.dates import format_day
from programme.backoffice.timetable.columns import VenueColumn, column_key
from programme.backoffice.timetable.grid import describe_occasions
from programme.backoffice.timetable.occasions import TimetableOccasion
from programme.models.festival_time import festival_time


def describe_move(
    occasion: TimetableOccasion,
    date: dt.date,
    columns: list[VenueColumn],
    clashes: list[TimetableOccasion],
    *,
    back: bool,
) -> str:
    """Return `Moved to 19:30, Stora scenen.`, and with what the occasion clashes there."""
    span = festival_time().span(occasion.start, occasion.end)
    day = f"{format_day(span.day)} " if span.day != date else ""
    place = next((column.label for column in columns if column.key == column_key(occasion.place)), "")
    where = {"time": f"{day}{format_clock(span.start)}", "place": place}
    message = _("Moved back to %(time)s, %(place)s.") if back else _("Moved to %(time)s, %(place)s.")
    others = describe_occasions(clashes)
    clashing = [_("It clashes with %(others)s.") % {"others": others}] if others else []
    return " ".join([message % where, *clashing])


def script_texts() -> dict[str, str]:
    return {
        "move": _("Move %(title)s"),
        "handle": _("Move (M)"),
        "moving": _("Arrow keys move it, with Shift by an hour. Enter puts it down, Escape lets it go."),
        "left": _("It stays where it was."),
        "undo": _("Undo"),
        "saving": _("Saving …"),
        "away": _("It could not be saved: the service does not answer. It is where it was."),
        "out": _("It could not be saved. Open the page again; you may have been logged out."),
        "fixed": _("You may not move this occasion."),
        "clock": _("Write it as 19:00. Midnight is 00:00."),
        "now": _("Now"),
        "nothing": _("There is nothing to undo."),
    }
