"""Form fields for clock times and spans as editors type them, for days, and for safe images."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import datetime as dt
import io
import re
from pathlib import PurePath
from typing import Any, NoReturn

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.validators import FileExtensionValidator, MaxValueValidator, MinValueValidator
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from PIL import Image

from programme.backoffice.forms.images import STORED_AS, AnimationTooLongError, normalize_image

# 19:00, 19.00, 1900, 19, and with "kl" before it.
_CLOCK = re.compile(r"(?:kl\.?\s*)?(\d{1,2})(?:[:.]?(\d{2}))?", re.IGNORECASE | re.ASCII)
# 130 is half past one, or two hours and ten minutes.
_CLOCK_OR_MINUTES = re.compile(r"[12][0-5]\d", re.ASCII)

_NUMBER = r"(\d{1,4}(?:[.,]\d{1,2})?)\s*"
_DAYS = "d|dag|dagar|dygn|day|days"
_HOURS = "h|t|tim|timme|timmar|hour|hours"
_MINUTES = "m|min|minut|minuter|minutes?"
_SIGN = r"([+\-−–])?\s*"
# 1 day 2 h 30 min, 2h30, 90 min; without a unit it is whole minutes: 1,5 may be meant as hours, 1930 as a
# clock time. The script of the timetable reads it with the same pattern.
SPAN = (
    rf"{_SIGN}(?:{_NUMBER}(?:{_DAYS})\.?\s*)?(?:{_NUMBER}(?:{_HOURS})\.?\s*)?"
    rf"(?:{_NUMBER}(?:{_MINUTES})\.?|(\d{{1,3}}))?"
)
_SPAN = re.compile(SPAN, re.IGNORECASE | re.ASCII)
# +2:30 is a span, 2:30 a time of the day.
_SIGNED_CLOCK = re.compile(r"([+\-−–])\s*(\d{1,2})[:.](\d{2})", re.ASCII)

EARLIEST = dt.date(1900, 1, 1)
LATEST = dt.date(2199, 12, 31)
UNLIKELY_YEAR = _("Check the year: it must be from 1900 to 2199.")

MEGABYTE = 1024 * 1024
LARGEST_FILE = 10 * MEGABYTE
MOST_PIXELS = 50_000_000
# The formats that every browser shows.
IMAGE_FORMATS = {"JPEG", "MPO", "PNG", "GIF", "WEBP", "AVIF"}
EXTENSIONS = {
    "JPEG": (".jpg", ".jpeg"),
    "PNG": (".png",),
    "GIF": (".gif",),
    "WEBP": (".webp",),
    "AVIF": (".avif",),
}
# The media type of a file that `SafeImageField` has named, by its extension.
IMAGE_TYPES = {
    extension: f"image/{kind.lower()}" for kind, extensions in EXTENSIONS.items() for extension in extensions
}
IMAGE_EXTENSIONS = ["jpg", "jpeg", "png", "gif", "webp", "avif"]
check_extension = FileExtensionValidator(IMAGE_EXTENSIONS)


def parse_span(typed: str) -> dt.timedelta | None:
    """Return a span such as `2 h`, `1 h 30 min`, `90` or `1 day` in whole minutes; None if it is none."""
    if found := _SIGNED_CLOCK.fullmatch(typed):
        sign, *parts = found[1], None, found[2], found[3], None
    elif (found := _SPAN.fullmatch(typed)) and any(found.groups()[1:]):
        sign, *parts = found.groups()
    else:
        return None
    days, hours, *minutes = (float((each or "0").replace(",", ".")) for each in parts)
    span = dt.timedelta(minutes=round((days * 24 + hours) * 60 + sum(minutes)))
    return span if sign in {None, "+"} else -span


class ClockField(forms.TimeField):
    """A clock time in whole minutes."""

    widget = forms.TimeInput(format="%H:%M", attrs={"size": 5, "class": "clock", "autocomplete": "off"})
    default_error_messages = {"invalid": _("Write it as 19:00. Midnight is 00:00.")}

    def to_python(self, value: Any) -> dt.time | None:
        if value in self.empty_values or isinstance(value, dt.time):
            return value or None
        match = _CLOCK.fullmatch(str(value).strip())
        try:
            return dt.time(int(match[1]), int(match[2] or 0)) if match else self._refuse()
        except ValueError:
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise ValidationError(self.error_messages["invalid"], code="invalid")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare in whole minutes, as the field shows them."""
        shown = initial.replace(second=0, microsecond=0) if isinstance(initial, dt.time) else initial
        return super().has_changed(shown, data)


class EndClockField(ClockField):
    """The clock time of an end: midnight may be written as 24:00, too."""

    def to_python(self, value: Any) -> dt.time | None:
        match = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
        midnight = match is not None and (int(match[1]), int(match[2] or 0)) == (24, 0)
        return dt.time(0) if midnight else super().to_python(value)


class EndField(EndClockField):
    """The end of an occasion: a clock time, or how long it lasts."""

    widget = forms.TimeInput(format="%H:%M", attrs={"size": 8, "class": "clock", "autocomplete": "off"})
    default_error_messages = {"invalid": _("Write it as 21:00, or how long it lasts: 2 h, 90 min.")}

    def to_python(self, value: Any) -> dt.time | dt.timedelta | None:  # type: ignore[override]  # wider
        typed = value.strip() if isinstance(value, str) else ""
        if _CLOCK_OR_MINUTES.fullmatch(typed):
            self._refuse()
        try:
            return super().to_python(value)
        except ValidationError:
            span = parse_span(typed)
            if span is None or span <= dt.timedelta():
                raise
            return span


class DayField(forms.DateField):
    """A date of our era, picked in the browser's own calendar."""

    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "day"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], **kwargs)
        limits = [MinValueValidator(EARLIEST, UNLIKELY_YEAR), MaxValueValidator(LATEST, UNLIKELY_YEAR)]
        self.validators += limits

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        # Without it browsers offer years of six digits.
        return {"max": LATEST.isoformat()}


class SafeImageField(forms.ImageField):
    """An image for the web, refused unopened if it is too large for the server's memory.

    Its value is not the file that was sent but the picture in it (programme/backoffice/forms/images.py).
    """

    default_error_messages = {
        "too_heavy": _("The image is larger than 10 MB. Save it in a smaller size."),
        "too_large": _("The image has more than 50 million pixels. Save it in a smaller size."),
        "too_long": _("The animation is too long: its frames have more than 50 million pixels together."),
        "format": _("Use a JPEG, PNG, GIF, WebP or AVIF image."),
        "svg": _(
            "SVG drawings cannot be used. Save it as a PNG image, or use a JPEG, GIF, WebP or AVIF image."
        ),
    }

    def to_python(self, data: Any) -> Any:
        if data not in self.empty_values and data.size > LARGEST_FILE:
            self._refuse("too_heavy")
        if data not in self.empty_values and _is_svg(data):
            self._refuse("svg")
        if data not in self.empty_values:
            # Before the file is named after its format.
            check_extension(data)
        file: Any
        try:
            file = super().to_python(data)
        except ValidationError as refusal:
            if isinstance(refusal.__cause__, (Image.DecompressionBombError, Image.DecompressionBombWarning)):
                self._refuse("too_large")
            raise
        if file is None:
            return None
        if file.image.width * file.image.height > MOST_PIXELS:
            self._refuse("too_large")
        if file.image.format not in IMAGE_FORMATS:
            self._refuse("format")
        return self._normalize(file)

    def _normalize(self, file: Any) -> SimpleUploadedFile:
        try:
            content = normalize_image(file)
        except AnimationTooLongError:
            self._refuse("too_long")
        except (OSError, ValueError, SyntaxError, EOFError):
            # Only the beginning of the file was an image.
            self._refuse("invalid_image")
        kind = STORED_AS.get(file.image.format, file.image.format)
        normalized = SimpleUploadedFile(_name_after(kind, file.name), content, Image.MIME[kind])
        # As Django's own field does, for further cleaning.
        normalized.image = Image.open(io.BytesIO(content))  # type: ignore[attr-defined]
        return normalized

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"accept": ",".join(f".{extension}" for extension in IMAGE_EXTENSIONS)}

    def _refuse(self, code: str) -> NoReturn:
        raise ValidationError(self.error_messages[code], code=code)


def _name_after(kind: str, name: str) -> str:
    """Return a file's name with the extension of its format: servers send it as the type that it names."""
    path = PurePath(name)
    extensions = EXTENSIONS[kind]
    return name if path.suffix.lower() in extensions else f"{path.stem}{extensions[0]}"


def _is_svg(file: Any) -> bool:
    begins = file.read(1024)
    file.seek(0)
    return file.name.lower().endswith((".svg", ".svgz")) or b"<svg" in begins.lower()


def missing_hour(date: dt.date, clock: dt.time) -> str:
    """Return the message about a time that is skipped when the clock goes forward."""
    return _("There is no %(clock)s on %(date)s: the clock goes forward.") % {
        "clock": f"{clock:%H:%M}",
        "date": date_format(date, "j F"),
    }
