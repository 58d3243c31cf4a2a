"""Deciding about a suggestion: both versions of its changes, what is sent, and what is written then."""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from datetime import datetime
from functools import cached_property, partial
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.base import ContentFile
from django.utils.translation import gettext_lazy, gettext_noop

from programme.backoffice.forms.images import name_image
from programme.backoffice.forms.news import NewsFields, drop_news, read_note
from programme.backoffice.problems.warnings import find_warnings
from programme.backoffice.suggestions.changes import (
    IMAGE,
    OCCASION,
    SuggestedChange,
    decode_occasion,
    find_changes,
    list_occasions,
    load_occasions,
    parse_occasion,
)
from programme.backoffice.suggestions.forms import PARTS
from programme.changes.change import Change, Plan
from programme.changes.difference import MINE, THEIRS
from programme.history import versions
from programme.models import Event, SuggestedImage, Suggestion
from programme.models.events import MIDDLE
from programme.models.telling import Telling

# The buttons.
ACCEPT, DECLINE = "accept", "decline"
# Before the IDs of suggestions: what the page showed of each, and whether it is left for later.
SEEN, LATER = "seen-", "later-"
# What the history calls the edit, before the organizer's name.
REASON = gettext_noop("suggested by")


class DecisionForm(NewsFields):
    """What readers are told of accepted times and cancellations, and what the organizer reads."""

    reason = forms.CharField(
        label=gettext_lazy("Answer to the organizer"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
        help_text=gettext_lazy("Why something is declined, for example. Only the organizer reads it."),
    )

    def __init__(self, *args: Any, has_news: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_news:
            drop_news(self)


class Section:
    """One suggestion that waits, for one request; `data` is what was sent, None where nothing was."""

    def __init__(self, suggestion: Suggestion, data: Mapping[str, str] | None) -> None:
        self.suggestion, self.data = suggestion, data or {}
        self.changes = find_changes(suggestion)
        self.possible = [each for each in self.changes if each.is_possible]
        has_news = bool(list_occasions(each.key for each in self.possible))
        self.form = DecisionForm(data, prefix=str(suggestion.pk), has_news=has_news)
        self.seen_name, self.later_name = f"{SEEN}{suggestion.pk}", f"{LATER}{suggestion.pk}"
        self.is_later = self.later_name in self.data
        self.both = sum(each.both for each in self.changes)

    @cached_property
    def seen(self) -> str:
        """What tells whether event and suggestion are as they were shown."""
        state = versions.find_state(Event, self.suggestion.event_id, PARTS)
        return f"{versions.format_state(state)} {self.suggestion.sent_at.isoformat()}"

    def find_accepted(self) -> list[str] | None:
        """Return the keys that are accepted; None where one is still to be chosen."""
        if DECLINE in self.data:
            return []
        if ACCEPT in self.data:
            return [each.key for each in self.possible]
        chosen = {each.key: self.data.get(each.name) for each in self.possible}
        if not {MINE, THEIRS}.issuperset(chosen.values()):
            return None
        return [key for key, whose in chosen.items() if whose == MINE]

    def list_choices(self) -> list[tuple[SuggestedChange, str]]:
        """Return the changes with what is chosen: what was sent, else what is suggested where it is safe."""
        self._add_warnings()
        sent = [self.data.get(each.name, "" if each.both else MINE) for each in self.changes]
        return [
            (each, it if each.is_possible else THEIRS) for each, it in zip(self.changes, sent, strict=True)
        ]

    def _add_warnings(self) -> None:
        """Give other times their warnings, as if everything were accepted, in nine queries at most."""
        by_occasion = {parse_occasion(each.key): each for each in self.possible}
        asked = {
            number: decode_occasion(self.suggestion.changes[each.key]["after"])
            for number, each in by_occasion.items()
            if number is not None
        }
        if not any("start" in values for values in asked.values()):
            return
        event = Event.objects.get(pk=self.suggestion.event_id)
        occasions = list(event.occasions.select_related("location", "room__location"))
        for each in occasions:
            for name, value in asked.get(each.pk, {}).items():
                setattr(each, name, value)
        for warning in find_warnings(event, occasions):
            if warning.row is not None and "start" in asked.get(number := occasions[warning.row].pk, {}):
                by_occasion[number].warnings.append(str(warning))

    @property
    def occasions(self) -> set[int]:
        """The IDs of the occasions of which something is accepted."""
        return {*load_occasions(self.suggestion.event_id, list_occasions(self.find_accepted() or []))}

    def plan(self, instant: datetime) -> Plan:
        """Return what the valid form accepts; all else is declined."""
        wanted = {key: self.suggestion.changes[key]["after"] for key in self.find_accepted() or []}
        changes = []
        for number, row in load_occasions(self.suggestion.event_id, list_occasions(wanted)).items():
            after = copy(row)
            vars(after).update(decode_occasion(wanted[f"{OCCASION}{number}"]))
            changes.append(Change.of(row, after))
        event = Event.objects.get(pk=self.suggestion.event_id)
        texts = wanted.keys() - {IMAGE}
        vars(event).update({key: wanted[key] for key in texts if parse_occasion(key) is None})
        if IMAGE in wanted:
            image = SuggestedImage.objects.get(suggestion=self.suggestion)
            name = name_image(PurePath(image.name).suffix)
            event.image.save(name, ContentFile(bytes(image.content)), save=False)
            event.image_focus_x = event.image_focus_y = MIDDLE
        changes.append(Change.of(self.suggestion.event, event))
        follow = partial(self._close, instant=instant, accepted=wanted.keys())
        return Plan(changes, REASON, self.suggestion.link.organizer.name, follow)

    def _close(self, _plan: Plan, instant: datetime, accepted: Collection[str]) -> None:
        # What the programme has already, somebody has accepted.
        open_keys = {each.key for each in self.changes}
        for key, change in self.suggestion.changes.items():
            change["accepted"] = key in accepted or key not in open_keys
        self.suggestion.decided_at, self.suggestion.reason = instant, self.form.cleaned_data["reason"]
        self.suggestion.save(update_fields=["changes", "decided_at", "reason"])
        SuggestedImage.objects.filter(suggestion=self.suggestion).delete()


def join_tellings(sections: Iterable[Section]) -> Telling | None:
    """Return what is told of all that is accepted, each note of its own occasions; None if words differ."""
    asked = [(each.form, occasions) for each in sections if (occasions := each.occasions)]
    notes = {number: read_note(form.cleaned_data) for form, occasions in asked for number in occasions}
    tells = {form.tells for form, _occasions in asked}
    noted = {key: each for key, each in notes.items() if each}
    return None if tells == {True, False} else Telling(False not in tells, notes=noted)
