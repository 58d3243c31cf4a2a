"""The query parameters of the events endpoint: what they are called, take and mean.

A django-filter FilterSet over no rows: it declares, validates and documents them; the pure
`feeds.selection` does the filtering.
"""

import re
from datetime import date
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError

from feeds.selection import Days, Moment, Selection
from feeds.vocabulary import LanguageCode
from programme.cleaning import clean_line
from programme.models import Occasion

# What is asked for by a name of control characters alone: the replacement character, which nothing bears.
NO_NAME = "\ufffd"
# Names have 200 characters at most, and fewer than 1,000 however they are spelled (decomposed, say).
# Nothing bears a longer one; Unicode's normal form of it would take time with the square of its length.
LONGEST_NAME = 1_000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LANGUAGE = re.compile(r"(sv|en)(-[a-z0-9]{1,8})*")


class RepeatedField(forms.Field):
    """All values of a parameter, trimmed; empty ones are the same as none."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: list[str] | None) -> Any:
        return [text for each in value or () if (text := each.strip())]


class NamesField(RepeatedField):
    """Names, cleaned like those in the database: titles and addresses of feeds repeat them."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        return tuple(_name(text) for text in super().clean(value))


def _name(text: str) -> str:
    return (clean_line(text) if len(text) <= LONGEST_NAME else "") or NO_NAME


class DatesField(RepeatedField):
    """Dates, intervals and keywords, as (moments, days)."""

    def clean(self, value: list[str] | None) -> tuple[tuple[Moment, ...], tuple[Days, ...]]:
        parsed, errors = [], []
        for text in super().clean(value):
            try:
                parsed.append(_moment_or_days(text))
            except ValueError as error:
                errors.append(f"{text!r} {error}")
        if errors:
            raise ValidationError(errors)
        moments = tuple(each for each in parsed if isinstance(each, Moment))
        return moments, tuple(each for each in parsed if isinstance(each, Days))


def _moment_or_days(text: str) -> Moment | Days:
    if text.lower() in set(Moment):
        return Moment(text.lower())
    first, slash, last = text.partition("/")
    days = Days(_date(first), _date(last if slash else first))
    if days.last < days.first:
        raise ValueError("ends before it begins.")
    return days


def _date(text: str) -> date:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError(
        f"is not a date. Write yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of {', '.join(Moment)}."
    )


class FlagField(forms.Field):
    """A flag: selects where any of its values does, and an empty value does."""

    widget = forms.MultipleHiddenInput
    selecting = frozenset({"", "true", "1", "yes", "on"})
    leaving = frozenset({"false", "0", "no", "off"})

    def clean(self, value: list[str] | None) -> bool:
        values = {each.strip().lower() for each in value or ()}
        if unknown := sorted(values - self.selecting - self.leaving):
            raise ValidationError([f"{text!r} is neither true nor false." for text in unknown])
        return bool(values & self.selecting)


class LanguageField(RepeatedField):
    """Swedish or English, any case, region subtags accepted."""

    def clean(self, value: list[str] | None) -> LanguageCode:
        texts = {text.lower(): text for text in super().clean(value)}
        if unknown := [text for lower, text in texts.items() if not _LANGUAGE.fullmatch(lower)]:
            raise ValidationError([f"{text!r} is not available. There are sv and en." for text in unknown])
        codes = {lower[:2] for lower in texts}
        if len(codes) > 1:
            raise ValidationError("Name one language, not several.")
        return "en" if codes == {"en"} else "sv"


def _parameter(field_class: type[forms.Field], help_text: str) -> django_filters.Filter:
    parameter = django_filters.Filter(method="leave", help_text=help_text)
    parameter.field_class = field_class
    return parameter


class SelectionParameters(django_filters.FilterSet):
    """The interface's parameters. Repeated values are alternatives; different parameters all hold."""

    date = _parameter(
        DatesField,
        "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun).",
    )
    area = _parameter(NamesField, "Name or full name of an area, in any case.")
    subarea = _parameter(NamesField, "Name or full name of a sub area, in any case; none: in no sub area.")
    room = _parameter(NamesField, "Name of the room where the occasion is held, in any case.")
    organizer = _parameter(NamesField, "ID or name of an organizer.")
    highlighted = _parameter(FlagField, "Highlighted events only.")
    language = _parameter(LanguageField, "sv (the default) or en: the language of the texts.")

    class Meta:
        model = Occasion
        fields: tuple[str, ...] = ()

    def leave(self, queryset: Any, name: str, value: Any) -> Any:  # noqa: ARG002 - a Filter's method
        return queryset

    @property
    def selection(self) -> Selection:
        """Return what was asked for, not yet canonical; the form must be valid."""
        cleaned = self.form.cleaned_data
        moments, days = cleaned["date"]
        return Selection(
            moments=moments,
            days=days,
            areas=cleaned["area"],
            sub_areas=cleaned["subarea"],
            rooms=cleaned["room"],
            organizers=_organizers(cleaned["organizer"]),
            highlighted=cleaned["highlighted"],
            language=cleaned["language"],
        )


def _organizers(names: tuple[str, ...]) -> tuple[str, ...]:
    """Digits are an ID, whatever zeros stand before it."""
    return tuple(name.lstrip("0") or "0" if re.fullmatch("[0-9]+", name) else name for name in names)
