"""The parameters that choose a part of a selection: pagination, modified occasions, no descriptions."""

import re
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict
from msgspec.structs import replace

from feeds.listing import Listing, PageListing, RemovedOccasion
from feeds.modified_listing import ModifiedListing
from feeds.news_listing import MOST_PAGES, PAGE_SIZE, NewsListing
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from programme.api.fields import ChoiceField, SingleField
from programme.api.parameters import CANCELLED, FilterParameters, SelectionParameters
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.other_editions import read_left

MAX_LIMIT, MAX_OFFSET = 1_000, 1_000_000
INTRO = "intro"
# RFC 3339. In a query `+` is read as a blank.
_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+\- ]\d{2}:\d{2})", re.ASCII
)


class NumberField(SingleField):
    def __init__(self, help_text: str, min_value: int, max_value: int) -> None:
        super().__init__(help_text)
        self.min_value = min_value
        self.max_value = max_value

    def parse(self, text: str) -> int:
        number = int(text) if re.fullmatch("[0-9]{1,9}", text) else -1
        if not self.min_value <= number <= self.max_value:
            bounds = f"{self.min_value} to {self.max_value}"
            raise ValidationError(f"{text[:100]!r} is not a whole number from {bounds}.")
        return number


_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def _to_utc(instant: datetime) -> datetime:
    """Return an instant in UTC; the first or last one of those before the year 1 and after 9999."""
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        return _FIRST if instant.year == 1 else _LAST


class InstantField(SingleField):
    def parse(self, text: str) -> datetime:
        try:
            if found := _INSTANT.fullmatch(text):
                day, clock, fraction, offset = found.groups()
                written = f"{day}T{clock}{(fraction or '')[:7]}{offset.upper().replace(' ', '+')}"
                return _to_utc(datetime.fromisoformat(written))
        except ValueError:
            pass
        raise ValidationError(
            f"{text[:100]!r} is not a date and time with an offset."
            " Use 2026-07-29T12:00:00Z or 2026-07-29T14:00:00+02:00."
        )


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
