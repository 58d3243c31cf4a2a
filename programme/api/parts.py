"""Parts of a selection: pages, modifications, news; the forms that read them, and their listings."""

from datetime import datetime
from typing import Any

from django import forms

from feeds.listing import Listing, ModifiedListing, PageListing, RemovedOccasion
from feeds.news_listing import NewsListing
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.other_editions import read_left


class PartForm(forms.Form):
    """A page of a selection, or its modifications."""

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

    def build_listing(self, snapshot: Snapshot, selection: Selection) -> Listing:
        """Return the listing of the part; the parameters must be valid."""
        limit, offset, since = (self.cleaned_data.get(name) for name in ("limit", "offset", "modified_since"))
        selection = snapshot.programme.index.canonical(selection)
        if since is not None:
            return build_modified(snapshot, selection, since)
        if limit is not None:
            return PageListing(snapshot, selection, limit, offset or 0)
        return Listing(snapshot, selection)


class ChangesForm(PartForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("modified_since") is None and "modified_since" not in self.errors:
            self.add_error("modified_since", "Required. Begin with 1970-01-01T00:00:00Z.")
        return cleaned


class NewsForm(forms.Form):
    def build_listing(self, snapshot: Snapshot, selection: Selection) -> NewsListing:
        canonical = snapshot.programme.news_index.canonical(selection)
        return NewsListing(snapshot, canonical, self.cleaned_data["page"] or 1)


def build_modified(snapshot: Snapshot, selection: Selection, since: datetime) -> ModifiedListing:
    """Return the listing of modified occasions, and of those that have left for another edition."""
    programme = snapshot.programme
    left: tuple[RemovedOccasion, ...] = ()
    if edition := programme.edition:
        edited_at = programme.find_edit(selection.edition)
        try:
            left = current.ask(lambda: tuple(read_left(edition, programme, edited_at, since)))
        except DatabaseUnavailable:
            # A client that has this revision may repeat its request; nothing has changed since.
            if since < programme.revision.moved_at:
                raise
    return ModifiedListing(snapshot, selection, since, left)
