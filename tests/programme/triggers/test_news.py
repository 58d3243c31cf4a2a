"""What readers are told by a mark moves the `last_modified` of the event that its occasion has now."""

import pytest

from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.models import News, NewsKind, Occasion
from tests.conftest import NOW
from tests.programme.triggers.writing import touched_by
from tests.programmes import ABROAD, BARE, mark_changed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sample")]


@pytest.mark.parametrize("kind", NewsKind.values)
def test_writing_correcting_and_deleting_a_row_is_seen_in_its_event_if_it_marks(kind: str) -> None:
    expected = {BARE} if kind in MARKING else set()
    row = Occasion.objects.filter(pk=8015)
    assert touched_by(lambda: mark_changed(row, Text("Regn"), NOW, kind=kind)) == expected
    told = News.objects.filter(occasion_id=8015)
    assert touched_by(lambda: told.update(note_sv="Åska")) == expected
    # It has another event by now than when it was told of.
    row.update(event_id=ABROAD)
    assert touched_by(told.delete) == ({ABROAD} if expected else set())


def test_news_of_what_is_gone_touches_nothing() -> None:
    row = Occasion.objects.filter(pk=8015)
    mark_changed(row, Text("Regn"), NOW)
    row.delete()
    assert touched_by(News.objects.filter(occasion_id=8015).delete) == set()
