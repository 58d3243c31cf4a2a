"""Whether readers are told that something is as before again: by default what is news to them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from programme.api.instant import get_instant
from programme.backoffice.forms.news import NO, YES, NewsFields, TellField
from programme.backoffice.rendering import warn_of_difference
from programme.changes.change import Plan
from programme.changes.merging import undoes_merge
from programme.models import Edit, News
from programme.models.telling import ask_whether_told


class NotificationForm(NewsFields):
    """What readers are told of occasions (by ID) that get values back, and with which note."""

    def __init__(self, data: Any, told: Collection[int], default: str, **options: Any) -> None:
        super().__init__(data, **options)
        self.told = told
        self.initial = {"tell": default, **self.initial}
        self.fields["tell"] = TellField(label=ask_whether_told(len(told)), widget=forms.RadioSelect)
        note = gettext_lazy("For readers. For example: at the original time after all.")
        self.fields["note"].help_text = note


def ask_readers(
    request: HttpRequest, plan: Plan, edit: Edit | None = None
) -> tuple[NotificationForm | None, bool]:
    """Return the form, None where readers know nothing of it, and whether what was shown is to be done.

    `edit` is the one that is undone. Of what is another plan by now nothing is done.
    """
    is_shown = request.POST.get("seen") == plan.digest
    if request.method == "POST" and not is_shown:
        warn_of_difference(request)
    told = plan.find_told(get_instant(request))
    if not told:
        return None, is_shown
    # Nothing has moved where rows were merged, and what nobody was told of is taken back as silently.
    is_silent = edit and (undoes_merge(edit) or not News.objects.filter(edit_id=edit.pk).exists())
    data, typed = (request.POST, None) if is_shown else (None, request.POST.dict())
    return NotificationForm(data, told, NO if is_silent else YES, initial=typed), is_shown
