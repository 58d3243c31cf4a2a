"""Formsets of the rows in a form: what two rows of one submission may not share, and rows that are gone."""

import datetime as dt
from typing import Any

from django import forms
from django.db.models import Field
from django.forms.formsets import DELETION_FIELD_NAME, INITIAL_FORM_COUNT
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import build_day_id
from programme.backoffice.forms.fields import DayField
from programme.backoffice.generics import BaseInlineFormSet, ModelForm
from programme.models import AreaDay, Day, Occasion


class RowsFormSet(BaseInlineFormSet):
    """Reports deleted rows beside them, with what to do: Django's own messages have no place in a row."""

    # Django sets it.
    _pk_field: "Field[Any, Any]"

    gone = _(
        "This row is no longer here: someone else has deleted or moved it in the meantime. "
        "Tick “Delete?” in it, then save. Everything else is kept."
    )
    gone_for_good = _(
        "This row is no longer here: someone else has deleted or moved it in the meantime. "
        "Open the page again."
    )
    not_deletable = _("You may not delete this row. Open the page again.")
    crafted = _("This form was not sent as it was shown. Open the page again.")

    def get_queryset(self) -> Any:
        """Return one row for each form of a submission: the admin shows no form without a row."""
        if self.is_bound and "forms" in vars(self):
            return [form.instance for form in self.initial_forms]
        return super().get_queryset()

    def add_fields(self, form: ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        # Django accepts any row of the model here, and silently drops what was typed of another's row.
        form.fields[self._pk_field.name].queryset = self.queryset  # type: ignore[attr-defined]

    def clean(self) -> None:
        super().clean()
        self._refuse_rows_sent_as_new()
        for form in self.initial_forms:
            if not self.can_delete and f"{form.prefix}-{DELETION_FIELD_NAME}" in form.data:
                form.add_error(None, self.not_deletable)
            if self._pk_field.name in form.errors and not form.cleaned_data.get(DELETION_FIELD_NAME):
                form.errors.clear()
                form.add_error(None, self.gone if self.can_delete else self.gone_for_good)

    def _refuse_rows_sent_as_new(self) -> None:
        """Refuse a count by which a stored row would be added once more."""
        count = self.management_form.cleaned_data[INITIAL_FORM_COUNT] or 0
        key = self.model._meta.pk.name  # type: ignore[union-attr]
        if count < 0 or any(form.data.get(form.add_prefix(key)) for form in self.forms[count:]):
            raise forms.ValidationError(self.crafted)


class UniqueRowsFormSet(RowsFormSet):
    """Refuses a row that has a key in common with a row above it."""

    key_field = "name"
    taken = _("Another row has this name.")

    def clean(self) -> None:
        super().clean()
        seen: set[Any] = set()
        for form in self.forms:
            if form.errors or form.cleaned_data.get(DELETION_FIELD_NAME):
                continue
            keys = self.get_keys(form)
            if keys & seen:
                form.add_error(self.key_field, self.taken)
            seen |= keys

    def get_keys(self, form: ModelForm) -> set[Any]:
        return set(form.instance.keys())


class UniqueOccasionsFormSet(RowsFormSet):
    """Refuses a new or changed occasion at the time and place of another row.

    Two that are stored like this, as imports may leave them, do not prevent saving something else.
    """

    taken = _("Another row has this day, time and place. Change it, or tick “Delete?” in one of them.")
    added = _("Someone else has added this day, time and place meanwhile. Change it, or tick “Delete?”.")

    def clean(self) -> None:
        super().clean()
        seen: set[Any] = set()
        others: set[Any] = set()
        if self.instance.pk and self.extra_forms:
            stored = Occasion.objects.filter(event=self.instance.pk)
            stored = stored.exclude(pk__in=[form.instance.pk for form in self.initial_forms])
            others = {*stored.values_list("start", "end", "location", "room")}
        for form in sorted(self.used, key=lambda form: bool(form.has_changed())):
            occasion = form.instance
            # What is to be made has no key yet.
            place = [each and (each.pk or str(each)) for each in (occasion.location, occasion.room)]
            key = (occasion.start, occasion.end, *place)
            if form.has_changed() and (key in seen or key in others):
                form.add_error("day", self.taken if key in seen else self.added)
            seen.add(key)

    @property
    def used(self) -> list[ModelForm]:
        """The rows that are there once it is saved."""
        valid = (form for form in self.forms if form.is_valid())
        kept = (form for form in valid if not form.cleaned_data.get(DELETION_FIELD_NAME))
        return [form for form in kept if form.instance.pk is not None or form.has_changed()]


class UniqueDaysFormSet(UniqueRowsFormSet):
    key_field = "date"
    taken = _("Another row has this day.")

    def get_keys(self, form: ModelForm) -> set[Any]:
        return {form.cleaned_data.get("date")} - {None}


class AreaDayForm(ModelForm):
    date = DayField(label=capfirst(_("day")))

    class Meta:
        model = AreaDay
        fields = ["opens", "closes", "ticket_opens", "ticket_closes", "title", "price_info"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial = {"date": self.instance.day.date, **self.initial}

    def clean_date(self) -> dt.date:
        date: dt.date = self.cleaned_data["date"]
        days = AreaDay.objects.filter(area=self.instance.area_id, day=build_day_id(date))
        if days.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("This area already has an entry for this day."))
        return date

    def save(self, commit: bool = True) -> Any:
        self.instance.day = Day.on(self.cleaned_data["date"])
        return super().save(commit)
