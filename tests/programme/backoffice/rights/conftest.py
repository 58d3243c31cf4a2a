"""Rows in the area editor's own area and in another, for every test of rights."""

from datetime import date

import pytest
from django.contrib.auth.models import User

from programme.models import Edit, Edition, Event, Occasion
from tests import news
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.rights.people import EDITION, SOMEBODY, SUPERUSER, THEIR_OCCASION, THEIRS
from tests.programmes import PARKEN


@pytest.fixture(autouse=True)
def _there(at: SetClock, sample: None) -> None:
    at(NOW)
    Event.objects.create(id=THEIRS, area_id=PARKEN, type_id=4001, title="Deras utkast")
    Occasion.objects.create(id=THEIR_OCCASION, event_id=THEIRS, start=NOW, end=NOW.replace(hour=18))
    for key, first, last in ((11, 2025, 2027), (EDITION, 2028, 2028)):
        days = {"first_day": date(first, 1, 1), "last_day": date(last, 12, 31)}
        Edition.objects.create(id=key, slug=str(first), name_sv=str(first), **days)
    edit = Edit.objects.create(pk=1, moment=NOW)
    Event.history.filter(id=THEIRS).update(edit=edit)
    news.write(1, "cancelled", news.build_state(NOW), news.build_state(NOW), 8008)
    User.objects.create_superuser("root", id=SUPERUSER)
    User.objects.create_user("somebody", id=SOMEBODY)
