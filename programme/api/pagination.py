"""The parameters of the events endpoint that choose a part of the selection: pages, and what was modified."""

import re
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from feeds.listing import Listing
from feeds.pagination import ModifiedListing, PageListing
from feeds.snapshot import Snapshot
from programme.api.parameters import RepeatedField, SelectionParameters, declare_parameter
from programme.models import Occasion

MAX_LIMIT, MAX_OFFSET = 1_000, 1_000_000
# RFC 3339. In a query `+` is read as a blank.
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+\- ]\d{2}:\d{2})", re.ASCII
)


class SingleField(RepeatedField):
    """One value, or several that are equal; None without any."""

    def clean(self, value: list[str] | None) -> Any:
        texts = set(super().clean(value))
        if len(texts) > 1:
            raise ValidationError("Name one, not several.")
        return self.read(texts.pop()) if texts else None

    def read(self, text: str) -> Any:
        raise NotImplementedError


class NumberField(SingleField):
    """A whole number within bounds."""

    least: int
    most: int

    def read(self, text: str) -> int:
        number = int(text) if re.fullmatch("[0-9]{1,9}", text) else -1
        if not self.least <= number <= self.most:
            raise ValidationError(f"{text[:100]!r} is not a whole number from {self.least} to {self.most}.")
        return number


class LimitField(NumberField):
    least, most = 1, MAX_LIMIT


class OffsetField(NumberField):
    least, most = 0, MAX_OFFSET


class InstantField(SingleField):
    """A moment with its offset from UTC."""

    def read(self, text: str) -> datetime:
        try:
            if found := _MOMENT.fullmatch(text):
                day, clock, fraction, offset = found.groups()
                written = f"{day}T{clock}{(fraction or '')[:7]}{offset.upper().replace(' ', '+')}"
                return datetime.fromisoformat(written).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise ValidationError(
            f"{text[:100]!r} is not a moment with an offset:"
            " write 2026-07-29T12:00:00Z or 2026-07-29T14:00:00+02:00."
        )


class _Form(forms.Form):
    """Refuses parts that do not go together."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        limit, offset, since = (cleaned.get(name) for name in ("limit", "offset", "modified_since"))
        if since is not None and any(cleaned.get("date", ((), ()))[0]):
            self.add_error(
                "modified_since",
                "does not go with today, tomorrow, now or upcoming: the clock moves occasions out of those"
                " without modifying them. Name days, or keep the whole selection and compare with the clock.",
            )
        if since is not None and (limit is not None or offset is not None):
            self.add_error("modified_since", "is not divided into pages: leave limit and offset out.")
        elif offset is not None and limit is None and "limit" not in self.errors:
            self.add_error("offset", "goes with limit.")
        return cleaned


class EventParameters(SelectionParameters):
    """All that the events endpoint takes."""

    limit = declare_parameter(LimitField, f"So many elements at most, from 1 to {MAX_LIMIT:,}.")
    offset = declare_parameter(OffsetField, "With limit: how many elements to leave out before.")
    modified_since = declare_parameter(
        InstantField,
        "A moment with an offset (RFC 3339): only what was modified since then, and tombstones of what is"
        " not in the selection any more. Not with limit, nor with a date of the clock.",
    )

    class Meta:
        model = Occasion
        fields: tuple[str, ...] = ()
        form = _Form

    def listing(self, snapshot: Snapshot) -> Listing:
        """Return what was asked for; the form must be valid."""
        selection = snapshot.programme.index.canonical(self.selection)
        cleaned = self.form.cleaned_data
        if cleaned["modified_since"] is not None:
            return ModifiedListing(snapshot, selection, cleaned["modified_since"])
        if cleaned["limit"] is not None:
            return PageListing(snapshot, selection, cleaned["limit"], cleaned["offset"] or 0)
        return Listing(snapshot, selection)
