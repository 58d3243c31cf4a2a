"""The query parameters of the events endpoint, as filter sets that declare, validate and document them.

The pure `feeds.selection` does the filtering.
"""

import re
from copy import copy
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from feeds.selection import PARAMETERS, Cancelled, DateKeyword, DayRange, Selection
from feeds.vocabulary import LanguageCode
from programme.models import Occasion
from programme.models.cleaning import clean_line

# A name of control characters alone becomes the replacement character, which is in no name.
NO_NAME = "\ufffd"
# Names have at most 200 characters, and fewer than 1,000 even if decomposed. Normalizing a longer one would
# take time with the square of its length.
MAX_NAME_LENGTH = 1_000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_ID = re.compile("[0-9]{1,18}")
MAX_WORDS = 20
# As many as a URL has room for.
MAX_OCCASIONS = 500
# Characters of an invalid value in an error.
MAX_QUOTED = 100
_LANGUAGE = re.compile(r"(sv|en)(-[a-z0-9]{1,8})*")


class ErrorKind(StrEnum):
    NO_DATE = "no_date"
    BACKWARDS = "backwards"
    NO_FLAG = "no_flag"
    NO_OCCASION = "no_occasion"
    NO_LANGUAGE = "no_language"
    SEVERAL_LANGUAGES = "several_languages"
    TOO_MANY_WORDS = "too_many_words"
    TOO_MANY_OCCASIONS = "too_many_occasions"


class InvalidParametersError(ValidationError):
    """An error as the API words it, with its kind and value for pages, which have words of their own."""

    def __init__(self, kind: ErrorKind, message: str, value: object) -> None:
        super().__init__(message, code=kind)
        self.kind = kind
        self.value = str(value)


class RepeatedField(forms.Field):
    """All values of a parameter, trimmed; empty ones are the same as none."""

    widget = forms.MultipleHiddenInput

    def __init__(self, help_text: str) -> None:
        super().__init__(required=False, help_text=help_text)

    def __deepcopy__(self, memo: dict[int, Any]) -> "RepeatedField":
        """Serve all requests: copying all fields for each would take longer than a small response."""
        return self

    def clean(self, value: list[str] | None) -> Any:
        return [text for each in value or () if (text := each.strip())]


class NamesField(RepeatedField):
    """Names, cleaned like those in the database: titles and URLs of feeds repeat them."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        short = (text if len(text) <= MAX_NAME_LENGTH else "" for text in super().clean(value))
        return tuple(clean_line(text) or NO_NAME for text in short)


class IdsOrNamesField(NamesField):
    """Names, or IDs, which leading zeros do not change."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        names = super().clean(value)
        return tuple(name.lstrip("0") or "0" if re.fullmatch("[0-9]+", name) else name for name in names)


class DatesField(RepeatedField):
    """Dates, intervals and keywords, as (moments, days)."""

    def clean(self, value: list[str] | None) -> tuple[tuple[DateKeyword, ...], tuple[DayRange, ...]]:
        parsed: list[DateKeyword | DayRange] = []
        errors: list[ValidationError] = []
        for text in super().clean(value):
            try:
                parsed.append(_parse_dates(text))
            except InvalidParametersError as error:
                errors.append(error)
        if errors:
            raise ValidationError(errors)
        moments = tuple(each for each in parsed if isinstance(each, DateKeyword))
        return moments, tuple(each for each in parsed if isinstance(each, DayRange))


def _parse_dates(text: str) -> DateKeyword | DayRange:
    if text.lower() in set(DateKeyword):
        return DateKeyword(text.lower())
    first, slash, last = text.partition("/")
    try:
        days = DayRange(_parse_date(first), _parse_date(last if slash else first))
    except ValueError as error:
        keywords = ", ".join(DateKeyword)
        message = f"{text!r} is not a date. Use yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of {keywords}."
        raise InvalidParametersError(ErrorKind.NO_DATE, message, text) from error
    if days.last < days.first:
        raise InvalidParametersError(ErrorKind.BACKWARDS, f"{text!r} ends before it begins.", text)
    return days


def _parse_date(text: str) -> date:
    if not _DATE.fullmatch(text):
        raise ValueError(text)
    return date.fromisoformat(text)


class FlagField(RepeatedField):
    """A flag: true if any of its values is, or is empty."""

    true_values = frozenset({"", "true", "1", "yes", "on"})
    false_values = frozenset({"false", "0", "no", "off"})

    def clean(self, value: list[str] | None) -> bool:
        values = {each.strip().lower() for each in value or ()}
        if unknown := sorted(values - self.true_values - self.false_values):
            raise _errors(ErrorKind.NO_FLAG, "{!r} is neither true nor false.", unknown)
        return bool(values & self.true_values)


class WordsField(NamesField):
    """Words to search for, of a limited number because each is looked up in every event."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        texts = super().clean(value)
        if sum(len(text.split()) for text in texts) > MAX_WORDS:
            message = f"Search for at most {MAX_WORDS} words."
            raise InvalidParametersError(ErrorKind.TOO_MANY_WORDS, message, MAX_WORDS)
        return texts


class OccasionIdsField(RepeatedField):
    """IDs of occasions, repeated or joined by full stops or commas."""

    def clean(self, value: list[str] | None) -> tuple[int, ...]:
        texts = [text for each in super().clean(value) for text in re.split(r"[.,]", each)]
        if unknown := [text for text in texts if not _ID.fullmatch(text.strip())]:
            raise _errors(ErrorKind.NO_OCCASION, "{!r} is not the ID of an occasion.", unknown[:5])
        if len(set(texts)) > MAX_OCCASIONS:
            message = f"Name at most {MAX_OCCASIONS} occasions."
            raise InvalidParametersError(ErrorKind.TOO_MANY_OCCASIONS, message, MAX_OCCASIONS)
        return tuple(map(int, texts))


class LanguageField(RepeatedField):
    def clean(self, value: list[str] | None) -> LanguageCode:
        texts = {text.lower(): text for text in super().clean(value)}
        if unknown := [text for lower, text in texts.items() if not _LANGUAGE.fullmatch(lower)]:
            raise _errors(ErrorKind.NO_LANGUAGE, "{!r} is not available. Use sv or en.", unknown)
        codes = {lower[:2] for lower in texts}
        if len(codes) > 1:
            message, several = "Name only one language.", ", ".join(texts.values())
            raise InvalidParametersError(ErrorKind.SEVERAL_LANGUAGES, message, several)
        return "en" if codes == {"en"} else "sv"


class CancelledField(RepeatedField):
    """How calendars show what is cancelled, if not by its status alone."""

    def clean(self, value: list[str] | None) -> Cancelled | None:
        texts = {text.lower(): text for text in super().clean(value)}
        if unknown := sorted(text for lower, text in texts.items() if lower not in set(Cancelled)):
            message = "{!r} is not available. Use show or mark."
            raise ValidationError([message.format(text[:MAX_QUOTED]) for text in unknown])
        if len(texts) > 1:
            raise ValidationError("Name only one of show and mark.")
        return Cancelled(*texts) if texts else None


def _errors(kind: ErrorKind, message: str, values: list[str]) -> ValidationError:
    """Return an error for each of some values; the message has a place for it."""
    return ValidationError(
        [InvalidParametersError(kind, message.format(text[:MAX_QUOTED]), text) for text in values]
    )


CANCELLED = (
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a status, for"
    " programs that hide what has that status; mark does both, for programs that ignore it. Other formats"
    " ignore the parameter."
)
LANGUAGE = "sv (the default) or en: the language of the texts."


class Parameter(django_filters.Filter):  # type: ignore[misc]  # untyped
    """A parameter that a form field validates; it filters no rows."""

    def __init__(self, field: forms.Field) -> None:
        super().__init__(help_text=field.help_text)
        self._field = field

    def __deepcopy__(self, memo: dict[int, Any]) -> "Parameter":
        """Be copied for each request without what all of them share."""
        return copy(self)

    def filter(self, queryset: QuerySet[Occasion], value: object) -> QuerySet[Occasion]:  # noqa: ARG002
        return queryset


class Parameters(django_filters.FilterSet):  # type: ignore[misc]  # untyped
    class Meta:
        model = Occasion
        fields: tuple[str, ...] = ()

    @property
    def cleaned_data(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.form.cleaned_data
        return cleaned

    @classmethod
    @cache
    def get_form_class(cls) -> type[forms.Form]:
        """Return the form, which django-filter would build for each request."""
        fields = {name: parameter.field for name, parameter in cls.base_filters.items()}
        return type(f"{cls.__name__}Form", (cls._meta.form,), fields)


class OccasionParameters(Parameters):
    cancelled = Parameter(CancelledField(CANCELLED))
    language = Parameter(LanguageField(LANGUAGE))

    @property
    def shown(self) -> Selection:
        """Return the selection of everything with the language and the way; the parameters must be valid."""
        cleaned = self.cleaned_data
        return Selection(cancelled=cleaned["cancelled"], language=cleaned["language"])


class FilterParameters(Parameters):
    """What narrows a selection."""

    date = Parameter(
        DatesField(
            "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
            "or today, tomorrow, now (going on), upcoming (not begun)."
        )
    )
    area = Parameter(NamesField("Name or full name of an area, in any case."))
    subarea = Parameter(NamesField("Name or full name of a sub area, in any case; none: in no sub area."))
    location = Parameter(IdsOrNamesField("ID or name of the location where the occasion is held."))
    room = Parameter(NamesField("Name of the room where the occasion is held, in any case."))
    organizer = Parameter(IdsOrNamesField("ID or name of an organizer."))
    type = Parameter(IdsOrNamesField("ID or name of a type of events, in Swedish or English."))
    spoken = Parameter(NamesField("Code of the language in which the event is held."))
    q = Parameter(WordsField("Words, all of which stand in the event's texts, names or place, in any case."))
    highlighted = Parameter(FlagField("Highlighted events only."))
    signinterpreted = Parameter(FlagField("Sign language interpreted events only."))
    occation = Parameter(
        OccasionIdsField(f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}.")
    )

    @property
    def selection(self) -> Selection:
        """Return the selection, not yet canonical; the parameters must be valid."""
        cleaned = self.cleaned_data
        moments, days = cleaned["date"]
        values = {field: cleaned[parameter] for field, parameter in PARAMETERS.items()}
        values |= {"cancelled": cleaned.get("cancelled"), "language": cleaned.get("language", "sv")}
        return Selection(moments=moments, days=days, **values)


class SelectionParameters(FilterParameters):
    language = Parameter(LanguageField(LANGUAGE))
