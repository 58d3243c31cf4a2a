"""Fits the texts of files to the fields of models, for all readers."""

import re
from collections.abc import Callable
from functools import lru_cache

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from programme.exchange.text.truncate import truncate
from programme.models import Event
from programme.models.cleaning import clean_line

# Takes what is wrong with a text.
Report = Callable[[str], None]
_validate_address = URLValidator(schemes=["http", "https"])
# An address with a path is valid if what precedes the path is, and the path has no white space.
_ADDRESS = re.compile(r"([^/]*//[^/]*)(?:/\S*)?")


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
    match = _ADDRESS.fullmatch(address)
    valid = match is not None and len(address) <= field_length(Event, "external_url") and _is_site(match[1])
    if report and address and not valid:
        report(_("no usable web address: “%(text)s”") % {"text": truncate(address, 100)})
    return address if valid else ""


@lru_cache(maxsize=1024)
def _is_site(address: str) -> bool:
    """Return whether the beginning of a web address is valid; many addresses begin alike."""
    try:
        _validate_address(address)
    except ValidationError:
        return False
    return True
