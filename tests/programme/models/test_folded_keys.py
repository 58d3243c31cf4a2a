"""Folded keys follow the names that they are made of, whichever way these are written."""

from collections.abc import Callable

import pytest

from programme.models import Organizer


def _save(organizer: Organizer) -> None:
    organizer.name = "ÅSA"
    organizer.save()


def _save_a_fresh_one(organizer: Organizer) -> None:
    _save(Organizer.objects.get(pk=organizer.pk))


def _update(organizer: Organizer) -> None:
    Organizer.objects.filter(pk=organizer.pk).update(name="ÅSA")


def _bulk_update(organizer: Organizer) -> None:
    organizer.name = "ÅSA"
    Organizer.objects.bulk_update([organizer], ["name"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rename", [_save, _save_a_fresh_one, _update, _bulk_update], ids=lambda rename: rename.__name__
)
def test_the_key_follows_the_name(rename: Callable[[Organizer], None]) -> None:
    organizer = Organizer.objects.create(name="Bo")
    rename(organizer)
    assert list(Organizer.objects.values_list("name", "name_key")) == [("ÅSA", "åsa")]
