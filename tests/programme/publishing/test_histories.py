"""After any history of edits, the programme that the change log leads to is the one that is loaded in full."""

from unittest.mock import Mock

import pytest

from feeds.programme import Programme
from feeds.vocabulary import Text
from programme.models import News, Occasion
from programme.publishing import change_reader, loading
from tests.conftest import NOW
from tests.programme.publishing.histories import RandomEdits, flush, write_documents
from tests.programme.triggers.writing import build_occasion, execute
from tests.programmes import ABROAD, JAZZ, NIGHT, mark_changed

EDITS = 60


def compare(derived: Programme, loaded: Programme) -> None:
    compare_values(derived, loaded)
    assert write_documents(derived, NOW) == write_documents(loaded, NOW)


def compare_values(derived: Programme, loaded: Programme) -> None:
    assert derived == loaded
    assert sorted(derived.transitions.reasons) == sorted(loaded.transitions.reasons)
    assert derived.by_id == loaded.by_id
    for name in ("by_event", "by_day", "by_place", "by_fact"):
        one, other = (
            {key: [*run] for key, run in getattr(each.index, name).items()} for each in (derived, loaded)
        )
        assert one == other
    assert derived.listed_areas == loaded.listed_areas


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", [3, pytest.param(5, marks=pytest.mark.thorough)])
def test_what_is_derived_is_what_is_loaded(sample, tmp_path, seed, monkeypatch):
    # Of the few events of the sample, most may change in a transaction.
    monkeypatch.setattr(change_reader, "LARGEST_SHARE", 1)
    edits, read = RandomEdits(seed, tmp_path), Mock(wraps=loading.read_programme)
    monkeypatch.setattr(loading, "read_programme", read)
    programme, compared = loading.load(), EDITS
    others: dict[str, Programme] = {}
    for _ in range(EDITS):
        edits.edit()
        programme = loading.load(programme)
        compare(programme, loading.load())
        for slug in {each.slug for each in programme.editions} - {
            programme.edition and programme.edition.slug
        }:
            others[slug] = loading.load(others.get(slug), slug)
            compare_values(others[slug], loading.load(edition=slug))
            compared += 1
    assert compared > EDITS
    # Twice for each edit and edition if the log had never led there.
    assert read.call_count < compared * 1.5


@pytest.mark.django_db(transaction=True)
def test_a_flush_between_edits(sample, tmp_path):
    edits, programme = RandomEdits(1, tmp_path), loading.load()
    for _ in range(3):
        edits.edit()
        flush()
        programme = loading.load(programme)
        compare(programme, loading.load())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("gone", ["DELETE FROM programme_occasion", "UPDATE programme_occasion SET id = 9"])
def test_news_has_the_event_that_its_occasion_has_or_had_last(sample, gone, monkeypatch):
    monkeypatch.setattr(change_reader, "LARGEST_SHARE", 1)
    mark_changed(Occasion.objects.filter(id=8015), Text("Ny"), NOW, appears_at=NOW)
    programme, again = loading.load(), build_occasion(NIGHT)
    again.pk = 8015
    tells = f"UPDATE programme_news SET event_id = {JAZZ} WHERE occasion_id = 8015"
    for edit, event in (
        (f"UPDATE programme_occasion SET event_id = {ABROAD} WHERE id = 8015", ABROAD),
        (tells, ABROAD),
        (f"{gone} WHERE id = 8015", ABROAD),
        (again.save, NIGHT),
        (tells, NIGHT),
    ):
        execute(edit) if isinstance(edit, str) else edit()
        assert News.objects.get(occasion_id=8015).event_id == event
        programme = loading.load(programme)
        compare(programme, loading.load())
