"""The filters of the timetable: area, location, drafts, empty rooms, all hours."""

from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.timetable.columns import NO_LOCATION, VenueColumn
from programme.backoffice.timetable.occasions import TimetableOccasion

WITHOUT, ONLY = "without", "only"


class TimetableFilterForm(forms.Form):
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    location = forms.ChoiceField(label=capfirst(_("location")), required=False)
    drafts = forms.ChoiceField(
        label=_("Drafts"),
        required=False,
        choices=[("", _("shown")), (WITHOUT, _("hidden")), (ONLY, _("drafts alone"))],
    )
    empty = forms.BooleanField(label=_("Empty rooms too"), required=False)
    hours = forms.BooleanField(label=_("All hours"), required=False)

    def __init__(self, sent: Any, areas: dict[int, str], columns: list[VenueColumn]) -> None:
        super().__init__(sent, label_suffix="")
        locations: dict[str, Any] = {
            str(each.place.location): each.location for each in columns if each.place
        }
        self._offer("area", {str(key): name for key, name in areas.items()})
        self._offer("location", locations | {NO_LOCATION: _("No location")})
        self.is_valid()

    def _offer(self, name: str, choices: dict[str, Any]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = [("", _("all")), *choices.items()]

    def _chosen(self, name: str) -> Any:
        """Return the choice; an invalid one counts as none, and its error is shown beside the field."""
        return self.cleaned_data.get(name) or ""

    @property
    def narrows(self) -> bool:
        return any(self._chosen(name) for name in ("area", "location", "drafts"))

    @property
    def chosen_area(self) -> str:
        """The ID of the chosen area; '' for all."""
        return str(self._chosen("area"))

    @property
    def whole_day(self) -> bool:
        return bool(self._chosen("hours"))

    def includes(self, occasion: TimetableOccasion) -> bool:
        drafts = self._chosen("drafts")
        location = str(occasion.place.location) if occasion.place else NO_LOCATION
        return (
            self.chosen_area in {"", str(occasion.area)}
            and self._chosen("location") in {"", location}
            and {WITHOUT: not occasion.draft, ONLY: occasion.draft}.get(drafts, True)
        )

    def columns(self, columns: list[VenueColumn], taken: set[str]) -> list[VenueColumn]:
        if not self._chosen("empty"):
            return [column for column in columns if column.key in taken]
        location = self._chosen("location")
        return [
            column
            for column in columns
            if column.key in taken or (column.place and location in {"", str(column.place.location)})
        ]
