"""The form in which an organizer corrects an event, and what it asks for compared with what it was shown."""

import copy
import datetime as dt
from typing import Any

from django import forms
from django.forms.models import fields_for_model
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.base import is_hidden, is_in_english
from programme.backoffice.forms.images import LARGEST_FILE, SafeImageField
from programme.backoffice.forms.occasion import ENTRY, OccasionForm, occasion_times
from programme.backoffice.suggestions.changes import IMAGE, OCCASION, decode_occasion, encode_occasion
from programme.changes.difference import format_span
from programme.history import versions
from programme.history.versions import Part
from programme.models import Event, Occasion, Suggestion
from programme.models.festival_time import festival_time
from programme.models.fields import Prose

TEXTS = ["title", "intro_sv", "description_sv", "intro_en", "description_en", "price"]
LINKS = ["external_url", "ticket_url"]
CAPTIONS = ["image_caption", "image_alt"]
WRITTEN = [*TEXTS, *LINKS, *CAPTIONS]
PARTS: list[Part] = [(Occasion, "event")]

# Characters.
LONGEST_MESSAGE = 2_000
# The occasions that can be asked about: the next ones.
MOST_OCCASIONS = 100

Changes = dict[str, dict[str, Any]]


class EventForm(forms.Form):
    """The texts, links and image of an event as the organizer wants them, and a message."""

    image = SafeImageField(label=capfirst(_("image")), required=False, widget=forms.FileInput)
    message = forms.CharField(
        label=_("Message to the editors"),
        required=False,
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("For what the form has no field for, and why another time is better."),
    )

    def __init__(
        self, event: Event, waiting: Changes, message: str, data: Any = None, files: Any = None
    ) -> None:
        shown = {name: getattr(event, name) for name in WRITTEN}
        shown |= {name: waiting[name]["after"] for name in WRITTEN if name in waiting}
        super().__init__(data, files, initial=shown | {"message": message})
        fields = fields_for_model(Event, WRITTEN, widgets={name: _choose_widget(name) for name in WRITTEN})
        for name in ("intro_sv", "intro_en", "description_sv", "description_en"):
            fields[name] = forms.CharField(
                label=fields[name].label,
                required=False,
                # Unless the stored one is longer.
                max_length=max(Prose.longest, len(getattr(event, name))),
                widget=fields[name].widget,
            )
        for name in fields:
            fields[name].disabled = is_hidden(event, name)
        if not is_in_english():
            fields["intro_sv"].label, fields["description_sv"].label = _("Intro"), _("Description")
        self.fields = fields | self.fields

    def clean_image(self) -> Any:
        image = self.cleaned_data[IMAGE]
        # Its pixels may need more room than the file that was sent.
        if image and image.size > LARGEST_FILE:
            raise forms.ValidationError(self.fields[IMAGE].error_messages["too_heavy"], code="too_heavy")
        return image

    def clean(self) -> dict[str, Any]:
        super().clean()
        for name in WRITTEN:
            if name in self.cleaned_data:
                field: Any = Event._meta.get_field(name)
                self.cleaned_data[name] = field.to_python(self.cleaned_data[name] or "")
        return self.cleaned_data


def _choose_widget(name: str) -> forms.Widget:
    if name in LINKS:
        # Not of the type url, with which browsers refuse `www.…`.
        return forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"})
    rows = {"intro": 3, "description": 8}.get(name.partition("_")[0])
    return forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput(attrs={"autocomplete": "off"})


class RequestForm(OccasionForm):
    """Another time of an occasion, or that it is cancelled."""

    # The occasion as it is; `clean` sets the times of `instance`.
    stored: Occasion

    place = None  # type: ignore[assignment]  # a field that a form does without
    cancel = forms.BooleanField(label=_("Cancel this occasion"), required=False)

    def __init__(self, *args: Any, waiting: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["start_time"].widget.attrs["data-times"] = reverse("organizer-times")
        self.fields["end_date"].help_text = _("Only if it ends on a later day.")
        asked = decode_occasion(waiting["after"]) if waiting else {}
        self.is_waiting = bool(asked)
        if "start" in asked:
            times = occasion_times(asked["start"], asked["end"], festival_time())
            self.initial = {**self.initial, **dict(zip(ENTRY, times, strict=True))}
        self.initial["cancel"] = asked.get("cancelled", False)

    @property
    def when(self) -> str:
        return format_span(self.stored.start, self.stored.end)

    @classmethod
    def of(cls, occasion: Occasion, waiting: dict[str, Any] | None, data: Any) -> "RequestForm":
        prefix = f"{OCCASION}{occasion.pk}"
        # One that was added since was not sent.
        sent = data if data is not None and f"{prefix}-day" in data else None
        form = cls(sent, prefix=prefix, instance=copy.copy(occasion), waiting=waiting)
        form.stored = occasion
        return form

    def _post_clean(self) -> None:
        """Check nothing of the row but its times, which `clean` has done: its place is the editors'."""


class Correction:
    """An event with its occasions as an organizer is shown it, and as it is sent back."""

    def __init__(
        self,
        event: Event,
        waiting: Suggestion | None,
        instant: dt.datetime,
        data: Any = None,
        files: Any = None,
    ) -> None:
        self.event, self.suggestion = event, waiting
        self.waiting: Changes = waiting.changes if waiting else {}
        self.state = versions.find_state(Event, event.pk, PARTS)
        message = waiting.message if waiting else ""
        self.form = EventForm(event, self.waiting, message, data, files)
        coming = event.occasions.filter(end__gt=instant, cancelled=False).order_by("start", "end", "id")
        self.requests = [
            RequestForm.of(each, self.waiting.get(f"{OCCASION}{each.pk}"), data)
            for each in coming[:MOST_OCCASIONS]
        ]
        self.seen = versions.parse_state(data.get("_state", "")) if data is not None else self.state
        self.latest = waiting.sent_at.isoformat() if waiting else ""
        # Another window, or somebody else, may have sent something since the form was opened.
        self.is_latest = data is None or data.get("_latest", self.latest) == self.latest

    @property
    def shown_state(self) -> str:
        """What the form holds: with an error, still the state that the organizer began with."""
        return versions.format_state(self.seen or self.state)

    def find_other(self, name: str) -> str | None:
        """Return what waits for a field, if it was sent since the form was opened and differs from it."""
        waits = self.waiting.get(name, {}).get("after")
        return None if self.is_latest or waits == self.form[name].value() else waits

    def is_valid(self) -> bool:
        return all([self.form.is_valid(), *(each.is_valid() for each in self.requests if each.is_bound)])

    @property
    def has_errors(self) -> bool:
        return any(each.errors for each in (self.form, *self.requests))

    def collect(self) -> Changes:
        """Return what differs from what was shown and from what is there now, in the order of the form."""
        event, occasions = self._load_shown()
        changes = self._collect_texts(event)
        if image := self.form.cleaned_data[IMAGE]:
            changes[IMAGE] = {"before": str(event.image or ""), "after": image.name}
        elif IMAGE in self.waiting:
            changes[IMAGE] = self.waiting[IMAGE]
        for form in self.requests:
            if not form.is_bound:
                continue
            shown = occasions.get(form.stored.pk, form.stored)
            if change := self._collect_request(form, shown):
                changes[f"{OCCASION}{form.stored.pk}"] = change
        return changes

    def _load_shown(self) -> tuple[Any, dict[int, Any]]:
        """Return event and occasions, or versions of them, as they were when the organizer began."""
        if self.seen in ((), self.state) or len(self.seen) != len(self.state):
            return self.event, {}
        own, parts = self.seen
        version = Event.history.filter(id=self.event.pk, history_id=own).first()
        rows = versions.select_parts_at(PARTS[0], self.event.pk, parts) if parts else ()
        return version or self.event, {each.id: each for each in rows}

    def _collect_texts(self, shown: Any) -> Changes:
        changes: Changes = {}
        for name in WRITTEN:
            after, was = self.form.cleaned_data[name], self.waiting.get(name)
            if after == getattr(self.event, name) or (was is None and after == getattr(shown, name)):
                continue
            changes[name] = {"before": was["before"] if was else getattr(shown, name), "after": after}
        return changes

    def _collect_request(self, form: RequestForm, shown: Any) -> dict[str, Any] | None:
        was = self.waiting.get(f"{OCCASION}{form.stored.pk}")
        names = ("cancelled",) if form.cleaned_data["cancel"] else ("start", "end")
        asked = {"cancelled": True} if form.cleaned_data["cancel"] else encode_occasion(form.instance, names)
        before = encode_occasion(shown, names)
        if asked in (before, encode_occasion(form.stored, names)):
            return None
        if was and was["after"].keys() == asked.keys():
            before = was["before"]
        return {"before": before, "after": asked, "when": encode_occasion(form.stored, ("start", "end"))}
