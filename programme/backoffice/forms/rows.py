"""The forms of an event and of an occasion in a row of their lists: when, where, status and news."""

from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.event import EventForm, StatusField
from programme.backoffice.forms.news import NEWS, Tell, drop_news, find_marks
from programme.backoffice.forms.occasion import ENTRY, OccasionForm, OccasionNewsForm
from programme.backoffice.generics import ModelForm
from programme.models import Event, Status

# What a row says of its times; the form of an occasion has more.
LENGTH = _("or how long: 2 h, 90 min")
LATER = _("or later: +2 h")
# The ID of the form that the fields belong to: a row of a table cannot hold one.
OWNER = "row-form"
OWNED = {"form": OWNER}


class RowForm(ModelForm):
    """A form whose fields stand in one row, without links and help."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "row_%s", "label_suffix": "", **kwargs})
        for field in self.fields.values():
            # The admin wraps the widget in one that adds links.
            field.widget = getattr(field.widget, "widget", field.widget)
            field.widget.attrs |= OWNED
            field.hidden_widget = partial(forms.HiddenInput, OWNED)  # type: ignore[assignment]
            field.help_text = ""
            if isinstance(field, forms.ChoiceField):
                field.widget.choices = field.choices

    def describe_times(self) -> None:
        """Say what else than a time may be typed."""
        self.fields["end_time"].help_text = LENGTH
        self.fields["start_time"].help_text = LATER

    def drop_news_of_draft(self, event: Event) -> None:
        """Leave out the news where readers know nothing, and see no mark either."""
        if event.status != Status.PUBLISHED and not find_marks(self.instance):
            drop_news(self)


class StatusChoice(StatusField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Select(attrs=OWNED), **kwargs)


class OccasionRowForm(RowForm, OccasionNewsForm):
    field_order = [*ENTRY, "location", "room", "cancelled", *NEWS]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        event = self.instance.event
        place = event.room or event.location
        if place and self.instance.location is None:
            self.fields["location"].help_text = _("Empty, as its event: %(place)s") % {"place": place}
        self.describe_times()
        self.drop_news_of_draft(event)


class EventRowForm(RowForm, EventForm):
    offered = dict.fromkeys([Tell.DEFAULT, Tell.NOTHING, Tell.EVENT])

    field_order = ["location", "room", "cancelled", "status", *NEWS]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "status" in self.fields:
            self.fields["status"] = StatusChoice()
        self.drop_news_of_draft(self.instance)


class EventTimesForm(RowForm, OccasionForm):
    """When the only occasion of an event is, in the event's row."""

    class Meta(OccasionForm.Meta):
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.describe_times()

    def _post_clean(self) -> None:
        """Leave its place as it is: there is no field for what is wrong with it."""
        self.ask_about_day()
