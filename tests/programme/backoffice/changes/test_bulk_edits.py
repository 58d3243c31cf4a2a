"""Whatever a bulk edit did to many occasions, undoing it leaves what readers saw before."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from programme.models import Edit, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.bulk.pages import change
from tests.programme.backoffice.changes.pages import undo

HOUR = dt.timedelta(hours=1)
KEYS = [8001, 8004, 8005]

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture(autouse=True)
def _clock(at: SetClock) -> None:
    at(NOW)


def read_rows() -> Any:
    rows = [*Event.objects.order_by("pk").values(), *Occasion.objects.order_by("pk").values()]
    return [{name: value for name, value in row.items() if name != "last_modified"} for row in rows]


@pytest.mark.parametrize(
    ("shift", "tell", "cancelled"),
    [
        ("+2 h", "", ""),
        ("-1 d", "occasions", ""),
        ("+2 h", "event", "cancel"),
        ("-1 d", "clear", ""),
        ("", "clear", "cancel"),
    ],
)
def test_a_bulk_edit_is_undone(office: Client, shift: str, tell: str, cancelled: str) -> None:
    # One that was moved before, and says so.
    Occasion.objects.filter(pk=8004).update(change_info="Egen", changed_at=NOW - HOUR)
    Occasion.objects.filter(pk=8004).update(start=NOW + 7 * HOUR)
    before, note = read_rows(), "Regn" if tell in {"occasions", "event"} else ""
    change(office, KEYS, shift=shift, tell=tell, cancelled=cancelled, note=note)
    after, edit = read_rows(), Edit.objects.latest("pk")
    assert after != before
    undo(office, edit, readers="silently")
    assert read_rows() == before
    undo(office, Edit.objects.latest("pk"), readers="silently")
    assert read_rows() == after
