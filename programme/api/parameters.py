"""The query parameters of the events endpoint: what they are called, take and mean.

A django-filter FilterSet over no rows: it declares, validates and documents them; the pure
`feeds.selection` does the filtering.
"""

import re
from datetime import date
from enum import StrEnum
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError

from feeds.selection import DateKeyword, DayRange, Selection
from feeds.vocabulary import LanguageCode
from programme.models import Occasion
from programme.models.cleaning import clean_line

# What is asked for by a name of control characters alone: the replacement character, which nothing bears.
NO_NAME = "\ufffd"
# Names have 200 characters at most, and fewer than 1,000 however they are spelled (decomposed, say).
# Nothing bears a longer one; Unicode's normal form of it would take time with the square of its length.
MAX_NAME_LENGTH = 1_000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_ID = re.compile("[0-9]{1,18}")
MAX_WORDS = 20
# As many as an address has room for.
MAX_OCCASIONS = 500
_LANGUAGE = re.compile(r"(sv|en)(-[a-z0-9]{1,8})*")


class ErrorKind(StrEnum):
    """Why a value is not understood."""

    NO_DATE = "no_date"
    BACKWARDS = "backwards"
    NO_FLAG = "no_flag"
    NO_OCCASION = "no_occasion"
    NO_LANGUAGE = "no_language"
    SEVERAL_LANGUAGES = "several_languages"
    TOO_MANY_WORDS = "too_many_words"
    TOO_MANY_OCCASIONS = "too_many_occasions"


class InvalidParametersError(ValidationError):
    """What the API says of a value in English, with what pages need to say it in their own words."""

    def __init__(self, kind: ErrorKind, message: str, value: object) -> None:
        super().__init__(message, code=kind)
        self.kind = kind
        self.value = str(value)


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
    return (clean_line(text) if len(text) <= MAX_NAME_LENGTH else "") or NO_NAME


class DatesField(RepeatedField):
    """Dates, intervals and keywords, as (moments, days)."""

    def clean(self, value: list[str] | None) -> tuple[tuple[DateKeyword, ...], tuple[DayRange, ...]]:
        parsed, errors = [], []
        for text in super().clean(value):
            try:
                parsed.append(_moment_or_days(text))
            except ValueError as error:
                kind, because = error.args
                errors.append(InvalidParametersError(kind, f"{text!r} {because}", text))
        if errors:
            raise ValidationError(errors)
        moments = tuple(each for each in parsed if isinstance(each, DateKeyword))
        return moments, tuple(each for each in parsed if isinstance(each, DayRange))


def _moment_or_days(text: str) -> DateKeyword | DayRange:
    if text.lower() in set(DateKeyword):
        return DateKeyword(text.lower())
    first, slash, last = text.partition("/")
    days = DayRange(_date(first), _date(last if slash else first))
    if days.last < days.first:
        raise ValueError(ErrorKind.BACKWARDS, "ends before it begins.")
    return days


def _date(text: str) -> date:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError(
        ErrorKind.NO_DATE,
        f"is not a date. Write yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of {', '.join(DateKeyword)}.",
    )


class FlagField(forms.Field):
    """A flag: selects where any of its values does, and an empty value does."""

    widget = forms.MultipleHiddenInput
    selecting = frozenset({"", "true", "1", "yes", "on"})
    leaving = frozenset({"false", "0", "no", "off"})

    def clean(self, value: list[str] | None) -> bool:
        values = {each.strip().lower() for each in value or ()}
        if unknown := sorted(values - self.selecting - self.leaving):
            raise ValidationError(
                [
                    InvalidParametersError(ErrorKind.NO_FLAG, f"{text!r} is neither true nor false.", text)
                    for text in unknown
                ]
            )
        return bool(values & self.selecting)


class WordsField(NamesField):
    """What texts must hold, bounded because every word is looked for in every event."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        wishes = super().clean(value)
        if sum(len(wish.split()) for wish in wishes) > MAX_WORDS:
            raise InvalidParametersError(
                ErrorKind.TOO_MANY_WORDS, f"Search for at most {MAX_WORDS} words.", MAX_WORDS
            )
        return wishes


class OccasionIdsField(RepeatedField):
    """IDs of occasions, repeated or joined by full stops or commas."""

    def clean(self, value: list[str] | None) -> tuple[int, ...]:
        texts = [text for each in super().clean(value) for text in re.split(r"[.,]", each)]
        if unknown := [text for text in texts if not _ID.fullmatch(text.strip())]:
            message = "{!r} is not the ID of an occasion."
            raise ValidationError(
                [
                    InvalidParametersError(ErrorKind.NO_OCCASION, message.format(text[:100]), text)
                    for text in unknown[:5]
                ]
            )
        if len(set(texts)) > MAX_OCCASIONS:
            raise InvalidParametersError(
                ErrorKind.TOO_MANY_OCCASIONS, f"Name at most {MAX_OCCASIONS} occasions.", MAX_OCCASIONS
            )
        return tuple(map(int, texts))


class LanguageField(RepeatedField):
    """Swedish or English, any case, region subtags accepted."""

    def clean(self, value: list[str] | None) -> LanguageCode:
        texts = {text.lower(): text for text in super().clean(value)}
        if unknown := [text for lower, text in texts.items() if not _LANGUAGE.fullmatch(lower)]:
            message = "{!r} is not available. There are sv and en."
            raise ValidationError(
                [
                    InvalidParametersError(ErrorKind.NO_LANGUAGE, message.format(text), text)
                    for text in unknown
                ]
            )
        codes = {lower[:2] for lower in texts}
        if len(codes) > 1:
            several = ", ".join(texts.values())
            raise InvalidParametersError(
                ErrorKind.SEVERAL_LANGUAGES, "Name one language, not several.", several
            )
        return "en" if codes == {"en"} else "sv"


def declare_parameter(field_class: type[forms.Field], help_text: str) -> django_filters.Filter:
    parameter = django_filters.Filter(method="leave", help_text=help_text)
    parameter.field_class = field_class
    return parameter


LANGUAGE = "sv (the default) or en: the language of the texts."


class Parameters(django_filters.FilterSet):
    """Declares and validates parameters; the rows stay as they are."""

    class Meta:
        model = Occasion
        fields: tuple[str, ...] = ()

    def leave(self, queryset: Any, name: str, value: Any) -> Any:  # noqa: ARG002 - a Filter's method
        return queryset


class LanguageParameters(Parameters):
    """What an endpoint takes that selects nothing."""

    language = declare_parameter(LanguageField, LANGUAGE)


class SelectionParameters(Parameters):
    """The interface's parameters. Repeated values are alternatives; different parameters all hold."""

    date = declare_parameter(
        DatesField,
        "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun).",
    )
    area = declare_parameter(NamesField, "Name or full name of an area, in any case.")
    subarea = declare_parameter(
        NamesField, "Name or full name of a sub area, in any case; none: in no sub area."
    )
    room = declare_parameter(NamesField, "Name of the room where the occasion is held, in any case.")
    organizer = declare_parameter(NamesField, "ID or name of an organizer.")
    type = declare_parameter(NamesField, "ID or name of a type of events, in Swedish or English.")
    spoken = declare_parameter(NamesField, "Code of the language in which the event is held.")
    q = declare_parameter(
        WordsField, "Words, all of which stand in the event's texts, names or place, in any case."
    )
    highlighted = declare_parameter(FlagField, "Highlighted events only.")
    signinterpreted = declare_parameter(FlagField, "Sign language interpreted events only.")
    occation = declare_parameter(
        OccasionIdsField, f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}."
    )
    language = declare_parameter(LanguageField, LANGUAGE)

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
            organizers=_ids_without_zeros(cleaned["organizer"]),
            types=_ids_without_zeros(cleaned["type"]),
            spoken=cleaned["spoken"],
            words=cleaned["q"],
            highlighted=cleaned["highlighted"],
            sign_interpreted=cleaned["signinterpreted"],
            chosen=cleaned["occation"],
            language=cleaned["language"],
        )


def _ids_without_zeros(names: tuple[str, ...]) -> tuple[str, ...]:
    """Digits are an ID, whatever zeros stand before it."""
    return tuple(name.lstrip("0") or "0" if re.fullmatch("[0-9]+", name) else name for name in names)
