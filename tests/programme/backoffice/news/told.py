"""Edits of which readers are told or not, and the pages that say so."""

from typing import Any

from django.contrib.auth.models import User

from feeds.vocabulary import Text
from programme.history import edits
from programme.models import Edit, News, Occasion
from programme.models.telling import Telling
from tests.conftest import NOW

NEWS = "/admin/news/"


def cancel(*keys: int, user: User | None = None, note: str = "", tells: bool = True) -> Edit:
    """Cancel occasions in one edit; return it."""
    with edits.record(user, NOW, telling=Telling(tells, Text(note, f"{note} (en)" if note else ""))):
        Occasion.objects.filter(pk__in=keys).update(cancelled=True)
    return Edit.objects.latest("pk")


def address_of(edit: Edit, **chosen: Any) -> str:
    """Return the page of the entry that an edit told, the only one of it or that of these pieces."""
    [entry] = (
        News.objects.filter(edit_id=edit.pk, **chosen).order_by().values_list("entry", flat=True).distinct()
    )
    return f"{NEWS}{entry}/"
