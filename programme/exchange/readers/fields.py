"""Fits the texts of files to the fields of models, for all readers."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from programme.exchange.text.truncate import truncate
from programme.models import Event
from programme.models.cleaning import clean_line

# Takes what is wrong with a text.
Report = Callable[[str], None]
_validate_address = URLValidator(schemes=["http", "https"])


def field_length(model: type, field: str) -> int:
    return int(model._meta.get_field(field).max_length)  # type: ignore[attr-defined]


def fit_line(model: type, field: str, text: str, report: Report | None = None) -> str:
    """Return a text as one line that fits a field, and report if it is cut."""
    line, length = clean_line(text), field_length(model, field)
    fitted = truncate(line, length)
    if report and fitted != line:
        report(_("cut to %(length)s characters: “%(text)s”") % {"length": length, "text": fitted})
    return fitted


def parse_web_address(text: str, report: Report | None = None) -> str:
    """Return a text as an absolute web address; report any other text and return ''."""
    address = clean_line(text)
    try:
        _validate_address(address)
        valid = len(address) <= field_length(Event, "external_url")
    except ValidationError:
        valid = False
    if report and address and not valid:
        report(_("no usable web address: “%(text)s”") % {"text": truncate(address, 100)})
    return address if valid else ""
