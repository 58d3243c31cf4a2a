"""Names the columns of sheets that are left alone."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from programme.exchange.readers.sheet.mapping import Sheet


def list_unused_columns(sheets: Sequence[Sheet]) -> Iterator[str]:
    doubled = [sheet.doubled for sheet in sheets]
    others = dict.fromkeys(
        sheet.mapping.headings[place]
        for sheet, known in zip(sheets, doubled, strict=True)
        for place in sheet.unused
        if place not in known
    )
    if others:
        yield _("columns that are left alone: %(names)s") % {"names": ", ".join(others)}
    for sheet, known in zip(sheets, doubled, strict=True):
        for place, taken in known.items():
            names = {"other": sheet.mapping.headings[place], "taken": sheet.mapping.heading_of(taken)}
            yield _("“%(other)s” is left alone, because it is the same as “%(taken)s”") % names
