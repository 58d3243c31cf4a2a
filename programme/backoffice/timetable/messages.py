"""The message after a write, and the texts of the page's script."""

import datetime as dt

from django.utils.translation import gettext as _

from feeds.wording import format_clock
from programme.backoffice.dates import format_day, format_times
from programme.backoffice.forms.fields import SPAN, EndField
from programme.backoffice.timetable.columns import VenueColumn, column_key
from programme.backoffice.timetable.grid import describe_occasions
from programme.backoffice.timetable.occasions import TimetableOccasion
from programme.backoffice.timetable.saving import WriteResult
from programme.models.festival_time import festival_time


def describe_write(
    done: WriteResult, date: dt.date, columns: list[VenueColumn], clashes: list[TimetableOccasion]
) -> str:
    """Return `Moved to 19:30, Stora scenen.`, and with what the occasion clashes there."""
    occasion = done.occasion
    if occasion is None:
        return done.message % {"title": done.title}
    span = festival_time().span(occasion.start, occasion.end)
    day = f"{format_day(span.day)} " if span.day != date else ""
    place = next((column.label for column in columns if column.key == column_key(occasion.place)), "")
    text = done.message % {
        "time": f"{day}{format_clock(span.start)}",
        "span": f"{day}{format_times(occasion.start, occasion.end)}",
        "place": place,
        "title": occasion.title,
    }
    others = describe_occasions(clashes)
    return " ".join([text, *([_("It clashes with %(others)s.") % {"others": others}] if others else [])])


def script_texts() -> dict[str, str]:
    """Return the texts, and the pattern of a span of time."""
    return {
        "move": _("Move %(title)s"),
        "handle": _("Move (M)"),
        "stretch": _("Drag to change the length"),
        "moving": _(
            "Arrow keys move it, with Shift by an hour; plus and minus change its length, Page Up and Page "
            "Down its day. Enter puts it down, Escape lets it go."
        ),
        "placing": _("Choose when and where. Click the timetable or use the fields."),
        "left": _("It stays where it was."),
        "undo": _("Undo"),
        "saving": _("Saving …"),
        "away": _("It could not be saved: the service does not answer. It is where it was."),
        "out": _("It is not saved: you are signed out. Everything is where it was."),
        "fixed": _("You may not move this occasion."),
        "clock": _("Write it as 19:00. Midnight is 00:00."),
        "end": str(EndField.default_error_messages["invalid"]),
        "span": SPAN,
        "now": _("Now"),
        "nothing": _("There is nothing to undo."),
        "draft": _("New draft: %(title)s"),
        "untitled": _("Write a title, or choose an event."),
    }
