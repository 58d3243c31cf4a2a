"""The programme as editors keep it."""

from programme.models.events import Event, Occasion, Production, Status
from programme.models.festival import Festival, GoneOccasion, Revision
from programme.models.imports import ImportedRow, SheetMapping, Upload
from programme.models.kinds import EventType, Language, Organizer
from programme.models.people import AreaEditor
from programme.models.places import (
    Area,
    AreaDay,
    Day,
    Location,
    Room,
    Stream,
    StreamSource,
    SubArea,
)
from programme.models.recorded import Edit, Editing, Version, recorded_models

__all__ = [
    "Area",
    "AreaDay",
    "AreaEditor",
    "Day",
    "Edit",
    "Editing",
    "Event",
    "EventType",
    "Festival",
    "GoneOccasion",
    "ImportedRow",
    "Language",
    "Location",
    "Occasion",
    "Organizer",
    "Production",
    "Revision",
    "Room",
    "SheetMapping",
    "Status",
    "Stream",
    "StreamSource",
    "SubArea",
    "Upload",
    "Version",
    "recorded_models",
]
