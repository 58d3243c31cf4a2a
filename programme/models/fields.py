"""Model fields that clean their values, and a field for the folded key of a name."""

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator, URLValidator
from django.db import models
from django.db.models.expressions import Combinable
from django.db.models.query_utils import DeferredAttribute
from django.utils.translation import gettext_lazy as _

from feeds.contrast import complete_code
from feeds.names import fold
from programme.models import name_order  # noqa: F401 - "name__in_order"
from programme.models.cleaning import clean_line, clean_prose, complete_address

if TYPE_CHECKING:
    CharField = models.CharField[str | Combinable, str]
    TextField = models.TextField[str | Combinable, str]
    URLField = models.URLField[str | Combinable, str]
else:
    CharField, TextField, URLField = models.CharField, models.TextField, models.URLField


# The options of texts added later: code of an earlier release inserts rows without them.
ADDED: Any = {"blank": True, "default": "", "db_default": ""}


class _CleanedField:
    """Cleans strings in forms, on saving, and in queries that write them or look them up."""

    clean_text = staticmethod(clean_prose)

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)  # type: ignore[misc]
        return self.clean_text(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)  # type: ignore[misc]
        if isinstance(value, str):
            value = self.clean_text(value)
            setattr(model_instance, self.attname, value)  # type: ignore[attr-defined]
        return value

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)  # type: ignore[misc]
        return self.clean_text(value) if isinstance(value, str) else value


class Line(_CleanedField, CharField):
    clean_text = staticmethod(clean_line)


class Prose(_CleanedField, TextField):
    """A text of several lines, with a maximum length that browsers do not enforce by cutting."""

    longest = 20_000
    default_validators = [MaxLengthValidator(longest)]


class OtherNames(Prose):
    """Former and everyday names of a row, one a line and each once."""

    def __init__(self, **kwargs: Any) -> None:
        text = _("Former and everyday names, one a line. Search and imports find it by them.")
        super().__init__(**ADDED | {"verbose_name": _("also called"), "help_text": text} | kwargs)

    @staticmethod
    def clean_text(text: str) -> str:
        names: dict[str, str] = {}
        for each in map(clean_line, clean_prose(text).splitlines()):
            names.setdefault(fold(each), each)
        return "\n".join(filter(None, names.values()))


class LinkField(forms.URLField):
    """A form field that completes an address without a scheme, `biljetter.exempel.se`."""

    default_error_messages = {"invalid": _("Write the whole address, beginning with https://.")}

    def to_python(self, value: Any) -> str | None:
        address = complete_address(str(value or ""))
        if address and not re.match("https?://", address, re.IGNORECASE):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(address)


class Link(_CleanedField, URLField):
    """The address of a web page, http or https."""

    clean_text = staticmethod(clean_line)
    default_validators = [URLValidator(schemes=["http", "https"])]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 1000)
        super().__init__(*args, **kwargs)

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": LinkField, "assume_scheme": "https", **kwargs})


class _Code(Line):
    length: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"max_length": self.length})


class Color(_Code):
    """An HTML colour code of six hexadecimal digits, in lower case; three are completed."""

    length = 7
    pattern = r"^#[0-9a-f]{6}$"
    default_validators = [RegexValidator(pattern, _("Write the colour as # and six digits: #2f6f4e."))]

    @staticmethod
    def clean_text(text: str) -> str:
        return complete_code(clean_line(text))


class CountryCode(_Code):
    """A country by the two letters of ISO 3166-1, in capitals."""

    length = 2
    default_validators = [RegexValidator("^[A-Z]{2}$", _("Write the country as two letters: SE."))]

    @staticmethod
    def clean_text(text: str) -> str:
        return clean_line(text).upper()


class _FoldedKeyDescriptor(DeferredAttribute):
    """The attribute of a folded key, computed on access so that it cannot differ from its source."""

    field: "FoldedKey"

    def __get__(self, instance: models.Model | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return fold(clean_line(getattr(instance, self.field.source) or ""))

    def __set__(self, instance: models.Model, value: Any) -> None:
        """Ignore the value, which Django sets when it loads an instance.

        The name must be in `__dict__`: Django treats a missing field as deferred and does not update it.
        """
        instance.__dict__[self.field.attname] = None


class FoldedKey(CharField):
    """The folded key (`feeds.names.fold`) of another field.

    It is stored for unique constraints on names in any case. It is updated with its source by `save`,
    `bulk_create` and `loaddata`, and by `update` of `ProgrammeQuerySet`.
    """

    descriptor_class = _FoldedKeyDescriptor

    def __init__(self, source: str, **kwargs: Any) -> None:
        self.source = source
        # Folding may lengthen a text: 'ß' becomes 'ss', and 'ΐ' three characters.
        super().__init__(**{"max_length": 800, "editable": False, **kwargs})

    def deconstruct(self) -> Any:
        name, path, _args, kwargs = super().deconstruct()
        return name, path, [self.source], kwargs


def folded_keys(model: type[models.Model]) -> list[FoldedKey]:
    return [field for field in model._meta.local_fields if isinstance(field, FoldedKey)]
