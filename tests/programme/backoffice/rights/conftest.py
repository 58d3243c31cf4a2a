"""Rows in the area editor's own area and in another, for every test of rights."""

import pytest
from django.contrib.auth.models import User

from programme.models import Edit, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.rights.people import SOMEBODY, SUPERUSER, THEIR_OCCASION, THEIRS
from tests.programmes import PARKEN


@pytest.fixture(autouse=True)
def _there(at: SetClock, sample: None) -> None:
    at(NOW)
    Event.objects.create(id=THEIRS, area_id=PARKEN, type_id=4001, title="Deras utkast")
    Occasion.objects.create(id=THEIR_OCCASION, event_id=THEIRS, start=NOW, end=NOW.replace(hour=18))
    edit = Edit.objects.create(pk=1, moment=NOW)
    Event.history.filter(id=THEIRS).update(edit=edit)
    User.objects.create_superuser("root", id=SUPERUSER)
    User.objects.create_user("somebody", id=SOMEBODY)
