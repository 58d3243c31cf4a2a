"""What is done with events that were chosen as a whole: also their area, type and language."""

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.bulk.operation import OperationForm
from programme.backoffice.rights import Rights
from programme.models import Area, Event, EventType, Language, SubArea


def _choice_field(queryset: QuerySet[Any], label: Any) -> "forms.ModelChoiceField[Any]":
    return forms.ModelChoiceField(
        queryset, label=capfirst(label), required=False, empty_label=_("leave as it is")
    )


class EventsForm(OperationForm):
    area = _choice_field(Area.objects.all(), _("area"))
    sub_area = _choice_field(SubArea.objects.select_related("area"), _("sub area"))
    type = _choice_field(EventType.objects.all(), _("type"))
    language = _choice_field(Language.objects.all(), _("language"))

    columns = ["area", "sub_area", "type", "language"]
    field_order = [*columns, *OperationForm.field_order]

    def __init__(self, events: list[Event], rights: Rights, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["area"].queryset = rights.assignable_areas()  # type: ignore[attr-defined]
        self.fields["sub_area"].queryset = rights.assignable_sub_areas()  # type: ignore[attr-defined]
        self.events = [event for event in events if rights.can("change", event)]
        self.refused = [event for event in events if event not in self.events]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        area, sub_area = cleaned.get("area"), cleaned.get("sub_area")
        if area and sub_area and sub_area.area_id != area.pk:
            self.add_error("sub_area", _("This sub area is not in the area chosen."))
        return cleaned

    @property
    def has_changes(self) -> bool:
        return bool(self.values) or super().has_changes

    @property
    def values(self) -> dict[str, Any]:
        """The new values by field. A sub area brings its area."""
        values = {name: found for name in self.columns if (found := self.cleaned_data.get(name))}
        if "sub_area" in values:
            values["area"] = values["sub_area"].area
        return values

    @cached_property
    def leaving(self) -> list[Event]:
        """The events that lose their sub area, because it is not in the new area."""
        area = self.values.get("area")
        if area is None or "sub_area" in self.values:
            return []
        return [event for event in self.events if event.sub_area and event.sub_area.area_id != area.pk]

    def write(self) -> None:
        if self.values:
            leaving = [event.pk for event in self.leaving]
            Event.objects.filter(pk__in=[event.pk for event in self.events]).update(**self.values)
            Event.objects.filter(pk__in=leaving).update(sub_area=None)


def load_events(keys: list[int]) -> list[Event]:
    events = Event.objects.filter(pk__in=keys).select_related("area", "sub_area__area", "type", "language")
    return list(events.order_by("title", "id"))
