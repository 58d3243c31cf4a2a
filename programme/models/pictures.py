"""Uploaded images of which there are files in several sizes; of others, readers get the original."""

from django.db import models

from programme.models.trigger_rules import TriggerRules

# The folder beside those of the originals, in which each has one of its own.
SIZES = "sizes"


class Picture(models.Model):
    """The sizes of an image, cut around one focal point; it goes by the original's name, as versions do."""

    name = models.CharField(max_length=300)
    focus_x = models.PositiveSmallIntegerField()
    focus_y = models.PositiveSmallIntegerField()
    # Of the original, in pixels.
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()

    trigger_rules = TriggerRules()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "focus_x", "focus_y"], name="picture_is_unique")
        ]

    def __str__(self) -> str:
        return self.name
