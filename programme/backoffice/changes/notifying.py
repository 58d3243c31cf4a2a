"""Whether readers are told that something is as before again: by default what is news to them."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from programme.backoffice.forms.news import NO, TOLD, YES, NewsFields
from programme.history.merging import undoes_merge
from programme.history.undo import RowsPlan
from programme.models import Edit, News
from programme.models.telling import ask_whether_told


class NotificationForm(NewsFields):
    """What readers are told of rows that get values back, and with which note."""

    def __init__(self, data: Any, told: int, default: str, **options: Any) -> None:
        super().__init__(data, **options)
        self.initial = {"tell": default, **self.initial}
        self.fields["tell"].label = ask_whether_told(told)
        self.fields["tell"].widget = forms.RadioSelect(choices=TOLD)
        note = gettext_lazy("For readers. For example: at the original time after all.")
        self.fields["note"].help_text = note


def ask_readers(
    data: Any, plan: RowsPlan, instant: datetime, edit: Edit | None = None, **options: Any
) -> NotificationForm | None:
    """Return the form, None where readers know nothing of it; `edit` is the one that is undone."""
    told = plan.find_told(instant)
    if not told:
        return None
    # Nothing has moved where rows were merged, and what nobody was told of is taken back as silently.
    is_silent = edit and (undoes_merge(edit) or not News.objects.filter(edit_id=edit.pk).exists())
    return NotificationForm(data, len(told), NO if is_silent else YES, **options)
