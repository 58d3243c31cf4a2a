"""What comes of a sheet: the first occasions, and what is left out."""

from programme.changes.difference import format_span_to_end
from programme.exchange.readers.sheet.shown import Shown
from programme.exchange.values import Contents
from programme.exchange.workbook import locate_row

_SHOWN_OCCASIONS, _SHOWN_REFUSALS = 5, 3


def show_result(shown: Shown, contents: Contents) -> Shown:
    """Return a sheet with the first occasions that would be read of it, and what would be left out."""

    def is_here(row: int) -> bool:
        return locate_row(contents.sheets, row)[0] in ("", shown["name"])

    occasions = ((each, event.title) for event in contents.events for each in event.occasions)
    found = sorted(
        (each for each in occasions if is_here(each[0].row)), key=lambda each: (each[0].row, each[0].start)
    )
    refused = [
        f"{each.where}: {each.what}" for each in contents.problems if each.left_out and is_here(each.row)
    ]
    first = [
        [
            title,
            format_span_to_end(each.start, each.end),
            " – ".join(filter(None, (each.location, each.room))),
        ]
        for each, title in found[:_SHOWN_OCCASIONS]
    ]
    counts = {"count": len(found), "refused": len(refused)}
    return shown | counts | {"first": first, "why": refused[:_SHOWN_REFUSALS]}
