"""The columns of a sheet of another festival, as a person would have said once what they are."""

from programme.exchange.merge.options import remember_answers
from programme.exchange.readers.sheet.said import list_said

HEADINGS = (
    "title", "organiser", "start", "end", "category", "type", "topic_1", "topic_2", "language", "place", "description",
    "more_info", "speakers", "websites", "facebook", "twitter", "food", "hashtags", "page_views", "id",
)  # fmt: skip
SAID = {
    "column:title": "title", "column:organiser": "organizer", "column:start": "start", "column:end": "end",
    "column:category": "no", "column:type": "type", "column:topic 1": "type", "column:topic 2": "type",
    "column:language": "language", "column:place": "location room/comma", "column:description": "intro_sv",
    "column:more info": "description_sv", "column:speakers": "description_sv", "column:websites": "external_url",
    "column:facebook": "no", "column:twitter": "no", "column:food": "no", "column:hashtags": "no",
    "column:page views": "no", "column:id": "occasion_id", "fixed:area": "Almedalen",
}  # fmt: skip


def save_columns(source: str) -> None:
    remember_answers(source, list_said(SAID), SAID)
