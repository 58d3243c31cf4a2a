"""What may name a location and a room of it: events, and occasions that are held elsewhere."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _


class HasVenue(models.Model):
    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.room and self.location is None:
            self.location = self.room.location
        misplaced = self.misplaced()
        if misplaced:
            raise ValidationError(misplaced)

    def misplaced(self) -> dict[str, object]:
        """Return what does not belong together, by the field of the smaller place."""
        if self.room and self.room.location_id != self.location.pk:
            return {"room": _("This room is not in the location chosen.")}
        return {}
