"""The models, with their querysets, fields and cleaning; without requests and formats."""

from programme.models.accepted_problems import AcceptedProblem
from programme.models.classification import EventType, Language, Organizer
from programme.models.editions import Edition
from programme.models.events import Event, Production, Status
from programme.models.festival import (
    ChangedEvent,
    Festival,
    GoneOccasion,
    PublishedYear,
    RandomText,
    Revision,
)
from programme.models.history import Edit, Editing, Version, models_with_history
from programme.models.imports import ImportedRow, Upload
from programme.models.lists import ListItem, OccasionList
from programme.models.locations import Location, Room
from programme.models.news import News, NewsKind
from programme.models.occasions import Occasion
from programme.models.people import AreaEditor
from programme.models.pictures import Picture
from programme.models.places import Area, AreaDay, Day, Stream, StreamSource, SubArea
from programme.models.schedule import Missed, ScheduledPublication
from programme.models.suggestions import OrganizerLink, SuggestedImage, Suggestion
from programme.models.trigger_rules import TriggerRules
