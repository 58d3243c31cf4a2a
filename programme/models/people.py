"""The areas that users may edit."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.models.places import Area
from programme.models.trigger_rules import Unpublished


class AreaEditor(Unpublished):
    """An area whose events a user may change, if not those of every area."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="edited_areas", verbose_name=_("user")
    )
    area = models.ForeignKey(Area, models.CASCADE, related_name="editors", verbose_name=_("area"))

    class Meta:
        verbose_name = _("area of an editor")
        verbose_name_plural = _("areas of editors")
        constraints = [models.UniqueConstraint(fields=["user", "area"], name="area_editor_is_unique")]

    def __str__(self) -> str:
        return f"{self.user}: {self.area}"
