"""Folded keys follow the names that they are made of, whichever way these are written."""

from collections.abc import Callable

import pytest

from programme.models import Organizer


def _save(organizer: Organizer) -> None:
    organizer.name = "ÅSA"
    organizer.save()


def _bulk_update(organizer: Organizer) -> None:
    organizer.name = "ÅSA"
    Organizer.objects.bulk_update([organizer], ["name"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rename",
    [
        _save,
        lambda organizer: _save(Organizer.objects.get(pk=organizer.pk)),
        lambda organizer: Organizer.objects.filter(pk=organizer.pk).update(name="ÅSA"),
        _bulk_update,
    ],
)
def test_the_key_follows_the_name(rename: Callable[[Organizer], None]) -> None:
    organizer = Organizer.objects.create(name="Bo")
    rename(organizer)
    assert list(Organizer.objects.values_list("name", "name_key")) == [("ÅSA", "åsa")]
