"""The form fields of query parameters: parsing, and the errors for invalid values."""

import re
from datetime import UTC, date, datetime
from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError

from feeds.fact import LARGEST, Fact, FactKind
from feeds.selection import DAY_KEYWORDS, DateKeyword, DayRange, Days
from feeds.vocabulary import LanguageCode
from programme.models.cleaning import clean_line

# A name of control characters alone becomes the replacement character, which is in no name.
NO_NAME = "\ufffd"
# Names have at most 200 characters, and fewer than 1,000 even if decomposed. Normalizing a longer one would
# take time with the square of its length.
MAX_NAME_LENGTH = 1_000
_DATES = re.compile(r"\d{4}-\d{2}-\d{2}(/\d{4}-\d{2}-\d{2})?", re.ASCII)
_HOURS = {str(hour) for hour in range(24)}
_ID = re.compile("[0-9]{1,18}")
MAX_WORDS = 20
# The most IDs that fit into a URL.
MAX_OCCASIONS = 500
# Characters of an invalid value in an error.
MAX_QUOTED = 100
# RFC 3339. In a query `+` is read as a blank.
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+\- ]\d{2}:\d{2})", re.ASCII)
_LANGUAGE = re.compile(r"(sv|en)([-_][a-z0-9]{1,8})*")

ErrorKind = Literal[
    "no_date", "backwards", "no_hour", "no_flag", "no_occasion",
    "no_language", "several_languages", "no_edition", "several_editions",
    "no_value", "too_many_words", "too_many_occasions",
]  # fmt: skip


class InvalidParametersError(ValidationError):
    """An error with the API's message; pages word it themselves, from its kind and value."""

    def __init__(self, kind: ErrorKind, message: str, value: object) -> None:
        super().__init__(message, code=kind)
        self.kind = kind
        self.value = str(value)


class RepeatedField(forms.Field):
    """All values of a parameter, trimmed, without empty ones."""

    widget = forms.MultipleHiddenInput

    def __deepcopy__(self, memo: dict[int, Any]) -> "RepeatedField":
        """Return the field itself: copying fields for each request takes longer than a small response."""
        return self

    def clean(self, value: list[str] | None) -> Any:
        return [text for each in value or () if (text := each.strip())]


class NamesField(RepeatedField):
    """Names, cleaned like those in the database: titles and URLs of feeds repeat them."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        short = (text if len(text) <= MAX_NAME_LENGTH else "" for text in super().clean(value))
        return tuple(clean_line(text) or NO_NAME for text in short)


class IdsOrNamesField(NamesField):
    """Names, or IDs without leading zeros."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        names = super().clean(value)
        return tuple(name.lstrip("0") or "0" if re.fullmatch("[0-9]+", name) else name for name in names)


class EditionField(RepeatedField):
    """The slug of an edition; empty for the current one."""

    def clean(self, value: list[str] | None) -> str:
        slugs = {text.lower() for text in super().clean(value)}
        if len(slugs) > 1:
            message = f"Only one edition at a time, not {' and '.join(sorted(slugs))[:MAX_QUOTED]}."
            raise InvalidParametersError("several_editions", message, ", ".join(sorted(slugs)))
        return slugs.pop() if slugs else ""


class DatesField(RepeatedField):
    """Dates, intervals and keywords, as (moments, days)."""

    keywords: tuple[DateKeyword, ...] = tuple(DateKeyword)

    def clean(self, value: list[str] | None) -> tuple[tuple[DateKeyword, ...], tuple[DayRange, ...]]:
        parsed: list[DateKeyword | DayRange] = []
        errors: list[ValidationError] = []
        for text in super().clean(value):
            try:
                parsed.append(_parse_dates(text, self.keywords))
            except InvalidParametersError as error:
                errors.append(error)
        if errors:
            raise ValidationError(errors)
        moments = tuple(each for each in parsed if isinstance(each, DateKeyword))
        return moments, tuple(each for each in parsed if isinstance(each, DayRange))


class DaysField(DatesField):
    """Days, intervals and the keywords that are days."""

    keywords = DAY_KEYWORDS

    def clean(self, value: list[str] | None) -> Any:
        moments, days = super().clean(value)
        return (*moments, *days)


class HoursField(RepeatedField):
    def clean(self, value: list[str] | None) -> tuple[int, ...]:
        texts = super().clean(value)
        if unknown := [text for text in texts if text not in _HOURS]:
            raise _errors("no_hour", "{!r} is not an hour. Use 0 to 23.", unknown)
        return tuple(map(int, texts))


def _parse_dates(text: str, known: tuple[DateKeyword, ...]) -> Days:
    if text.lower() in known:
        return DateKeyword(text.lower())
    first, _, last = (text if _DATES.fullmatch(text) else "").partition("/")
    try:
        days = DayRange(date.fromisoformat(first), date.fromisoformat(last or first))
    except ValueError as error:
        keywords = ", ".join(known)
        message = f"{text!r} is not a date. Use yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of {keywords}."
        raise InvalidParametersError("no_date", message, text) from error
    if days.last < days.first:
        raise InvalidParametersError("backwards", f"{text!r} ends before it begins.", text)
    return days


class FlagField(RepeatedField):
    """A flag: true if any of its values is true or empty."""

    true_values = frozenset({"", "true", "1", "yes", "on"})
    false_values = frozenset({"false", "0", "no", "off"})

    def clean(self, value: list[str] | None) -> bool:
        values = {each.strip().lower() for each in value or ()}
        if unknown := sorted(values - self.true_values - self.false_values):
            raise _errors("no_flag", "{!r} is neither true nor false.", unknown)
        return bool(values & self.true_values)


class FactValuesField(RepeatedField):
    """Values of a fact, as its tokens."""

    def __init__(self, *, fact: Fact, **options: Any) -> None:
        values = f": {', '.join(fact.codes)}" if fact.codes else ", in years"
        every = "; all of them" if fact.kind is FactKind.STATES else ""
        super().__init__(help_text=f"{fact.title.en}{values}{every}.", **options)
        self.fact = fact

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        codes = {text: self.fact.parse_wanted(text) for text in super().clean(value)}
        if unknown := [text for text, code in codes.items() if code is None]:
            valid = ", ".join(self.fact.codes) or f"0 to {LARGEST}"
            raise _errors("no_value", "{!r} is not available. Use one of " + valid + ".", unknown)
        return tuple(self.fact.token(code) for code in codes.values() if code is not None)


class WordsField(NamesField):
    """Words to search for, of a limited number because each is looked up in every event."""

    def clean(self, value: list[str] | None) -> tuple[str, ...]:
        texts = super().clean(value)
        if sum(len(text.split()) for text in texts) > MAX_WORDS:
            message = f"Search for at most {MAX_WORDS} words."
            raise InvalidParametersError("too_many_words", message, MAX_WORDS)
        return texts


class OccasionIdsField(RepeatedField):
    """IDs of occasions, repeated or joined by full stops or commas."""

    def clean(self, value: list[str] | None) -> tuple[int, ...]:
        texts = [text for each in super().clean(value) for text in re.split(r"[.,]", each)]
        if unknown := [text for text in texts if not _ID.fullmatch(text.strip())]:
            raise _errors("no_occasion", "{!r} is not the ID of an occasion.", unknown[:5])
        if len(set(texts)) > MAX_OCCASIONS:
            message = f"Name at most {MAX_OCCASIONS} occasions."
            raise InvalidParametersError("too_many_occasions", message, MAX_OCCASIONS)
        return tuple(map(int, texts))


class LanguageField(RepeatedField):
    def clean(self, value: list[str] | None) -> LanguageCode:
        texts = {text.lower(): text for text in super().clean(value)}
        if unknown := [text for lower, text in texts.items() if not _LANGUAGE.fullmatch(lower)]:
            raise _errors("no_language", "{!r} is not available. Use sv or en.", unknown)
        codes = {lower[:2] for lower in texts}
        if len(codes) > 1:
            message, several = "Name only one language.", ", ".join(texts.values())
            raise InvalidParametersError("several_languages", message, several)
        return "en" if codes == {"en"} else "sv"


class SingleField(RepeatedField):
    """One value, or several that are equal; None without any."""

    def clean(self, value: list[str] | None) -> Any:
        texts = set(super().clean(value))
        if len(texts) > 1:
            raise ValidationError("Only one value is allowed.")
        return self.parse(texts.pop()) if texts else None

    def parse(self, text: str) -> Any:
        raise NotImplementedError


class ChoiceField(SingleField):
    """One of a few words, in any case."""

    def __init__(self, *, choices: tuple[str, ...], **options: Any) -> None:
        super().__init__(**options)
        self.choices = choices

    def parse(self, text: str) -> str:
        if found := next((each for each in self.choices if each == text.lower()), None):
            return found
        raise ValidationError(f"{text[:MAX_QUOTED]!r} is not available. Use {' or '.join(self.choices)}.")


class NumberField(SingleField):
    def __init__(self, *, min_value: int, max_value: int, **options: Any) -> None:
        super().__init__(**options)
        self.min_value = min_value
        self.max_value = max_value

    def parse(self, text: str) -> int:
        number = int(text) if re.fullmatch("[0-9]{1,9}", text) else -1
        if not self.min_value <= number <= self.max_value:
            bounds = f"{self.min_value} to {self.max_value}"
            raise ValidationError(f"{text[:MAX_QUOTED]!r} is not a whole number from {bounds}.")
        return number


_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


class InstantField(SingleField):
    def parse(self, text: str) -> datetime:
        try:
            instant = datetime.fromisoformat(
                text.upper().replace(" ", "+") if _INSTANT.fullmatch(text) else ""
            )
        except ValueError:
            raise ValidationError(
                f"{text[:MAX_QUOTED]!r} is not a date and time with an offset."
                " Use 2026-07-29T12:00:00Z or 2026-07-29T14:00:00+02:00."
            ) from None
        try:
            return instant.astimezone(UTC)
        except OverflowError:
            # The instant is before the year 1 or after 9999 in UTC.
            return _FIRST if instant.year == 1 else _LAST


def _errors(kind: ErrorKind, message: str, values: list[str]) -> ValidationError:
    """Return an error with a message for each value, which replaces the braces."""
    return ValidationError(
        [InvalidParametersError(kind, message.format(text[:MAX_QUOTED]), text) for text in values]
    )
