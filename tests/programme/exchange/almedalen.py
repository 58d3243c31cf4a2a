"""The columns of a sheet of another festival, as a person would have named them once."""

from programme.exchange.readers.sheet.mapping import Part, Source
from programme.models import SheetMapping

HEADINGS = (
    "title", "organiser", "start", "end", "category", "type", "topic_1", "topic_2", "language", "place", "description",
    "more_info", "speakers", "websites", "facebook", "twitter", "food", "hashtags", "page_views", "id",
)  # fmt: skip
SOURCES = {
    "title": Source((0,)), "organizer": Source((1,)), "start": Source((2,)), "end": Source((3,)),
    "type": Source((5, 6, 7), join="; "), "language": Source((8,)), "location": Source((9,), Part.BEFORE_COMMA),
    "room": Source((9,), Part.AFTER_COMMA), "intro_sv": Source((10,)),
    "description_sv": Source((11, 12), Part.WHOLE, "\n\n"), "external_url": Source((13,), Part.FIRST),
    "occasion_id": Source((19,)), "area": Source(fixed="Almedalen"),
}  # fmt: skip


def save_columns() -> None:
    sources = {
        field: {"columns": each.columns, "part": each.part, "join": each.join, "fixed": each.fixed}
        for field, each in SOURCES.items()
    }
    SheetMapping.objects.create(name="Veckan", key="x", headings=HEADINGS, sources=sources)
