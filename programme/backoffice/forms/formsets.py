"""Rows edited inside another's form: what two of them in one submission may not have in common."""

import datetime as dt
from typing import Any

from django import forms
from django.forms import BaseInlineFormSet
from django.forms.formsets import DELETION_FIELD_NAME, INITIAL_FORM_COUNT
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import build_day_id
from programme.backoffice.forms.fields import DayField
from programme.models import AreaDay, Day, Occasion


class RowsFormSet(BaseInlineFormSet):
    """Says of a row that it is gone where it is, with what to do; Django's own words stand in no cell."""

    gone = _(
        "This row is no longer here: someone else has deleted or moved it in the meantime. "
        "Tick “Delete?” in it, then save. Everything else is kept."
    )
    gone_for_good = _(
        "This row is no longer here: someone else has deleted or moved it in the meantime. "
        "Open the page again."
    )

    stays = _("You may not delete this row. Open the page again.")

    def get_queryset(self) -> Any:
        """Return the rows; once there are forms for what was sent, one for each of them in their order.

        The admin pairs them with the forms, and shows no form that it finds no row for.
        """
        if self.is_bound and "forms" in vars(self):
            return [form.instance for form in self.initial_forms]
        return super().get_queryset()

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        # Django takes any row of the model, and leaves what was typed of another's row unsaved.
        form.fields[self._pk_field.name].queryset = self.queryset

    crafted = _("This form was not sent as it was shown. Open the page again.")

    def clean(self) -> None:
        super().clean()
        self._refuse_rows_sent_as_new()
        for form in self.initial_forms:
            if not self.can_delete and f"{form.prefix}-{DELETION_FIELD_NAME}" in form.data:
                form.add_error(None, self.stays)
            if self._pk_field.name in form.errors and not form.cleaned_data.get(DELETION_FIELD_NAME):
                form.errors.clear()
                form.add_error(None, self.gone if self.can_delete else self.gone_for_good)

    def _refuse_rows_sent_as_new(self) -> None:
        """Refuse a count by which a row that is there would be added once more."""
        count = self.management_form.cleaned_data[INITIAL_FORM_COUNT]
        key = self.model._meta.pk.name
        if count < 0 or any(form.data.get(form.add_prefix(key)) for form in self.forms[count:]):
            raise forms.ValidationError(self.crafted)


class UniqueRowsFormSet(RowsFormSet):
    """Refuses a row that has a key of a row above it."""

    named_by = "name"
    taken = _("Another row has this name.")

    def clean(self) -> None:
        super().clean()
        seen: set[Any] = set()
        for form in self.forms:
            if form.errors or form.cleaned_data.get(DELETION_FIELD_NAME):
                continue
            keys = self.keys_of(form)
            if keys & seen:
                form.add_error(self.named_by, self.taken)
            seen |= keys

    def keys_of(self, form: forms.ModelForm) -> set[Any]:
        return form.instance.keys()


class UniqueOccasionsFormSet(RowsFormSet):
    """Refuses an occasion that is new or changed and then at the time and place of another row.

    Two that were stored so, as an import may bring them, keep nobody from saving something else.
    """

    taken = _("Another row has this day, time and place. Change it, or tick “Delete?” in one of them.")

    def clean(self) -> None:
        super().clean()
        there = [form for form in self.forms if self._is_there(form)]
        seen: set[Any] = set()
        for form in sorted(there, key=lambda form: bool(form.has_changed())):
            key = self._key(form.instance)
            if key in seen and form.has_changed():
                form.add_error("day", self.taken)
            seen.add(key)

    def _is_there(self, form: forms.ModelForm) -> bool:
        deleted = not form.is_valid() or form.cleaned_data.get(DELETION_FIELD_NAME)
        return not deleted and (form.instance.pk is not None or form.has_changed())

    def _key(self, occasion: Occasion) -> tuple[Any, ...]:
        own = occasion if occasion.location_id else self.instance
        return occasion.start, occasion.end, own.location_id, own.room_id


class UniqueDaysFormSet(UniqueRowsFormSet):
    named_by = "date"
    taken = _("Another row has this day.")

    def keys_of(self, form: forms.ModelForm) -> set[Any]:
        return {form.cleaned_data.get("date")} - {None}


class AreaDayForm(forms.ModelForm):
    """A day of an area, entered by its date."""

    date = DayField(label=capfirst(_("day")))

    class Meta:
        model = AreaDay
        fields = ["opens", "closes", "ticket_opens", "ticket_closes", "title", "price_info"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial = {"date": self.instance.day.date} | self.initial

    def clean_date(self) -> dt.date:
        date = self.cleaned_data["date"]
        days = AreaDay.objects.filter(area=self.instance.area_id, day=build_day_id(date))
        if days.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("This area already has an entry for this day."))
        return date

    def save(self, commit: bool = True) -> AreaDay:
        self.instance.day = Day.on(self.cleaned_data["date"])
        return super().save(commit)
