"""The query parameters of the events endpoint, as forms that declare, validate and document them."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from msgspec.structs import replace

from feeds.facts import FACTS
from feeds.listing import Listing, ModifiedListing, PageListing, RemovedOccasion
from feeds.news_listing import MOST_PAGES, PAGE_SIZE, NewsListing
from feeds.selection import PARAMETERS, Cancelled, DateKeyword, Selection
from feeds.snapshot import Snapshot
from programme.api.editions import EDITION
from programme.api.fields import (
    MAX_OCCASIONS,
    ChoiceField,
    DatesField,
    DaysField,
    FactField,
    FlagField,
    HoursField,
    IdsOrNamesField,
    InstantField,
    LanguageField,
    NamesField,
    NumberField,
    OccasionIdsField,
    WordsField,
)
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.other_editions import read_left

CANCELLED = ChoiceField(
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a status, for"
    " programs that hide what has that status; mark does both, for programs that ignore it. Other formats"
    " ignore the parameter.",
    tuple(Cancelled),
)
LANGUAGE = LanguageField("sv (the default) or en: the language of the texts.")


class EditionParameters(forms.Form):
    edition = EDITION


class OccasionParameters(EditionParameters):
    cancelled = CANCELLED
    language = LANGUAGE

    @property
    def shown(self) -> Selection:
        """Return the selection of everything with the language and the way; the parameters must be valid."""
        cleaned = self.cleaned_data
        return Selection(
            edition=cleaned["edition"], cancelled=cleaned["cancelled"], language=cleaned["language"]
        )


class NamedParameters(forms.Form):
    """What narrows a selection, but for facts."""

    date = DatesField(
        "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun)."
    )
    during = DaysField(
        "Festival days, as a date or interval, or today or tomorrow: what begins then, and what goes on"
        " then. What ends in the night after the evening on which it began belongs to the evening."
    )
    after = HoursField("An hour, 0 to 23: what begins or goes on after it on that day.")
    area = NamesField("Name or full name of an area, in any case.")
    subarea = NamesField("Name or full name of a sub area, in any case; none: in no sub area.")
    location = IdsOrNamesField("ID or name of the location where the occasion is held.")
    room = NamesField("Name of the room where the occasion is held, in any case.")
    organizer = IdsOrNamesField("ID or name of an organizer.")
    type = IdsOrNamesField("ID or name of a type of events, in Swedish or English.")
    spoken = NamesField("Code of the language in which the event is held.")
    list = IdsOrNamesField("ID or title of a list that the editors have made.")
    q = WordsField("Words, all of which the event's texts, names or place have, inflected too.")
    highlighted = FlagField("Highlighted events only.")
    signinterpreted = FlagField("Sign language interpreted events only.")
    occation = OccasionIdsField(f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}.")


# One for each fact that is declared.
_facts: Any = type("FactParameters", (NamedParameters,), {fact.name: FactField(fact) for fact in FACTS})


class FilterParameters(_facts):  # type: ignore[misc]  # made of declarations
    """What narrows a selection."""

    edition = EDITION

    @property
    def selection(self) -> Selection:
        """Return the selection, not yet canonical; the parameters must be valid."""
        cleaned = self.cleaned_data
        moments, days = cleaned["date"]
        values = {field: cleaned[parameter] for field, parameter in PARAMETERS.items()}
        values["facts"] = tuple(token for fact in FACTS for token in cleaned[fact.name])
        values["edition"] = cleaned["edition"]
        values |= {"cancelled": cleaned.get("cancelled"), "language": cleaned.get("language", "sv")}
        values |= {"during": cleaned["during"], "after": cleaned["after"]}
        return Selection(moments=moments, days=days, **values)


class SelectionParameters(FilterParameters):
    language = LANGUAGE


# --- Parts of a selection: pages, modified occasions, no descriptions ---------------------------


MAX_LIMIT, MAX_OFFSET = 1_000, 1_000_000
INTRO = "intro"
MODIFIED_SINCE = (
    "A date and time with an offset (RFC 3339): only what was modified since then, and tombstones of"
    " occasions that have left the selection. Not with limit, today, tomorrow, now or upcoming."
)


def build_modified(snapshot: Snapshot, selection: Selection, since: datetime) -> ModifiedListing:
    """Return the listing of what was modified, and of what has left for another edition."""
    programme = snapshot.programme
    left: tuple[RemovedOccasion, ...] = ()
    if edition := programme.edition:
        edited_at = programme.find_edit(selection.edition)
        try:
            left = current.ask(lambda: tuple(read_left(edition, programme, edited_at, since)))
        except DatabaseUnavailable:
            # Who has all of this revision asks from the same instant again.
            if since < programme.revision.moved_at:
                raise
    return ModifiedListing(snapshot, selection, since, left)


class PartParameters(FilterParameters):
    """The parameters of a selection or a part of it."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        limit, offset, since = (cleaned.get(name) for name in ("limit", "offset", "modified_since"))
        dates = (*cleaned.get("date", ((), ()))[0], *cleaned.get("during", ()))
        if since is not None and any(isinstance(each, DateKeyword) for each in dates):
            self.add_error(
                "modified_since",
                "Cannot be combined with today, tomorrow, now or upcoming: occasions leave those with time,"
                " without a modification. Name days instead, or select by time yourself.",
            )
        if since is not None and (limit is not None or offset is not None):
            self.add_error("modified_since", "Cannot be combined with limit or offset.")
        elif offset is not None and limit is None and "limit" not in self.errors:
            self.add_error("offset", "Requires limit.")
        return cleaned

    def build_listing(self, snapshot: Snapshot) -> Listing:
        limit, offset, since = (self.cleaned_data.get(name) for name in ("limit", "offset", "modified_since"))
        selection = snapshot.programme.index.canonical(self.selection)
        if since is not None:
            return build_modified(snapshot, selection, since)
        return (
            Listing(snapshot, selection)
            if limit is None
            else PageListing(snapshot, selection, limit, offset or 0)
        )


class EventParameters(PartParameters, SelectionParameters):
    cancelled = CANCELLED
    limit = NumberField(f"The maximum number of elements, from 1 to {MAX_LIMIT:,}.", 1, MAX_LIMIT)
    offset = NumberField("With limit: the number of elements to skip.", 0, MAX_OFFSET)
    modified_since = InstantField(MODIFIED_SINCE)


class ListParameters(EventParameters):
    """Of the events on the list whose ID stands in the path; they are on one that the query names, too."""

    def __init__(self, data: QueryDict, list_id: int) -> None:
        super().__init__(data)
        self.list_id = list_id

    @property
    def selection(self) -> Selection:
        asked, own = super().selection, str(self.list_id)
        return replace(asked, within=own) if asked.lists else replace(asked, lists=(own,))

    def build_listing(self, snapshot: Snapshot) -> Listing:
        listing = super().build_listing(snapshot)
        listing.path = f"/api/lists/{self.list_id}/events"
        listing.in_path = () if listing.selection.within else ("lists",)
        return listing


class NewsParameters(SelectionParameters):
    page = NumberField(f"The page of the feed, each of {PAGE_SIZE} entries.", 1, MOST_PAGES)

    def build_listing(self, snapshot: Snapshot) -> NewsListing:
        selection = snapshot.programme.news_index.canonical(self.selection)
        return NewsListing(snapshot, selection, self.cleaned_data["page"] or 1)


class ChangesParameters(EventParameters):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("modified_since") is None and "modified_since" not in self.errors:
            self.add_error("modified_since", "Required. Begin with 1970-01-01T00:00:00Z.")
        return cleaned


class ProgrammeParameters(PartParameters):
    """Of the programme as one document, which is in both languages."""

    modified_since = InstantField(MODIFIED_SINCE)
    texts = ChoiceField("intro: no descriptions, neither of events nor of areas and organizers.", (INTRO,))
