"""Rows edited inside another's form: what two of them in one submission may not have in common."""

import datetime as dt
from typing import Any

from django import forms
from django.forms import BaseInlineFormSet
from django.forms.formsets import DELETION_FIELD_NAME
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import day_id
from programme.admin.fields import DayField
from programme.models import AreaDay, Day


class UniqueRows(BaseInlineFormSet):
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


class UniqueDays(UniqueRows):
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
        days = AreaDay.objects.filter(area=self.instance.area_id, day=day_id(date))
        if days.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("This area already has an entry for this day."))
        return date

    def save(self, commit: bool = True) -> AreaDay:
        self.instance.day = Day.on(self.cleaned_data["date"])
        return super().save(commit)
