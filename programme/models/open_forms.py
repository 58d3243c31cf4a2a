"""What is kept of forms that are being written: files that wait for a correction, and who has a form open."""

from django.conf import settings
from django.db import models

from programme.models.fields import Line
from programme.models.trigger_rules import UNPUBLISHED


class KeptFile(models.Model):
    """A file that was sent with a form and not saved with it; it is saved when the form is sent again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = Line(max_length=200)
    content = models.BinaryField()
    kept_at = models.DateTimeField()

    trigger_rules = UNPUBLISHED

    def __str__(self) -> str:
        return self.name


class OpenForm(models.Model):
    """The form of a row, such as `event/12`, that a user had open a moment ago."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    form = models.CharField(max_length=100)
    seen_at = models.DateTimeField()

    trigger_rules = UNPUBLISHED

    class Meta:
        constraints = [models.UniqueConstraint(fields=["form", "user"], name="open_form_is_unique")]

    def __str__(self) -> str:
        return self.form
