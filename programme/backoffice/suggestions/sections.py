"""A suggestion on the page on which editors decide: both versions of its changes, and what is sent."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from programme.backoffice.conflicts.three_way_diff import MINE, THEIRS
from programme.backoffice.forms.news import News, NewsFields, Tell
from programme.backoffice.suggestions.asked_times import add_warnings
from programme.backoffice.suggestions.changes import SuggestedChange, find_changes, list_occasions
from programme.backoffice.suggestions.deciding import Decision
from programme.backoffice.suggestions.forms import PARTS
from programme.history import versions
from programme.models import Event, Suggestion

# The buttons.
ACCEPT, DECLINE = "accept", "decline"
# Before the IDs of suggestions: what the page showed of each, and whether it is left for later.
SEEN, LATER = "seen-", "later-"


class DecisionForm(NewsFields):
    """What readers are told of accepted times and cancellations, and what the organizer reads."""

    offered = {
        Tell.NOTHING: None,
        Tell.OCCASIONS: gettext_lazy("yes, about these occasions"),
        Tell.EVENT: None,
    }

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
            del self.fields["tell"], self.fields["note"]


class Section:
    """One suggestion that waits, for one request; `data` is what was sent, None where nothing was."""

    def __init__(self, suggestion: Suggestion, data: Mapping[str, str] | None) -> None:
        self.suggestion, self.data = suggestion, data or {}
        self.changes = find_changes(suggestion)
        self.possible = [each for each in self.changes if each.is_possible]
        has_news = bool(list_occasions(each.key for each in self.possible))
        self.form = DecisionForm(data, prefix=str(suggestion.pk), has_news=has_news)
        self.seen_name, self.later_name = f"{SEEN}{suggestion.pk}", f"{LATER}{suggestion.pk}"

    @cached_property
    def seen(self) -> str:
        """What tells whether event and suggestion are as they were shown."""
        state = versions.find_state(Event, self.suggestion.event_id, PARTS)
        return f"{versions.format_state(state)} {self.suggestion.sent_at.isoformat()}"

    @property
    def is_as_shown(self) -> bool:
        return self.data.get(self.seen_name) == self.seen

    @property
    def is_later(self) -> bool:
        return self.later_name in self.data

    @property
    def both(self) -> int:
        return sum(each.both for each in self.changes)

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

    def build_decision(self) -> Decision:
        """Return what the valid form says."""
        news = self.form.news if "tell" in self.form.fields else News()
        # What the programme has already, somebody has accepted.
        done = self.suggestion.changes.keys() - {each.key for each in self.changes}
        return Decision(self.find_accepted() or [], done, news, self.form.cleaned_data["reason"])

    def list_choices(self) -> list[tuple[SuggestedChange, str]]:
        """Return the changes with what is chosen: what was sent, else what is suggested where it is safe."""
        add_warnings(self.suggestion, self.changes)
        return [(each, self._get_chosen(each)) for each in self.changes]

    def _get_chosen(self, change: SuggestedChange) -> str:
        if not change.is_possible:
            return THEIRS
        return self.data.get(change.name, "" if change.both else MINE)
