"""Validation of unique names, for which Django skips folded keys, because no form has them."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.models.fields import folded_keys
from programme.models.querysets import ProgrammeQuerySet


class UniqueNames(models.Model):
    """A mixin that reports violations of unique names at the name's field."""

    objects = ProgrammeQuerySet.as_manager()

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if refused := self.refused_names():
            raise ValidationError(refused)

    def refused_names(self) -> dict[str, object]:
        keys = {key.name: key for key in folded_keys(type(self))}
        refused: dict[str, object] = {
            key.source: _("This name is too long.")
            for key in keys.values()
            if len(getattr(self, key.name)) > (key.max_length or 0)
        }
        for constraint in self._meta.constraints:
            if isinstance(constraint, models.UniqueConstraint):
                columns = [getattr(each, "name", "") for each in constraint.expressions]
                named = [keys[column].source for column in columns if column in keys]
                try:
                    constraint.validate(type(self), self)
                except ValidationError as taken:
                    refused |= dict.fromkeys(named, taken)
        return refused

    def keys(self) -> set[str]:
        return {getattr(self, key.name) for key in folded_keys(type(self))} - {""}
