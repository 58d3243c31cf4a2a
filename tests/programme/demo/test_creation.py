"""The rows and pictures that the demo stores, clearing them, and programmes of other origin."""

from datetime import time, timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from programme import models
from programme.backoffice.forms.images import SafeImageField
from programme.backoffice.programme import load_programme
from programme.demo import creation, files
from programme.demo.files import parse_times
from programme.exchange.suspicion.finders import find_clashes
from tests.programme.demo.created import NOON, STOCKHOLM

WHAT_THERE_IS = (creation.has_programme, creation.has_demo, creation.describe_other_content)

pytestmark = pytest.mark.usefixtures("db")


def stored_pictures() -> dict[str, bytes]:
    """The pictures of the demo's events by title, as they lie in the storage."""
    pictured = models.Event.objects.exclude(image="")
    return {event.title: Path(event.image.path).read_bytes() for event in pictured}


@pytest.mark.usefixtures("stored_demo")
def test_twelve_events_have_a_picture_that_an_editor_could_have_uploaded():
    stored = stored_pictures()
    assert len(stored) == len(set(stored.values())) == len([*(files.FOLDER / "pictures").iterdir()]) == 12
    for content in stored.values():
        image = Image.open(SafeImageField().clean(SimpleUploadedFile("bild.jpg", content)))
        assert (image.format, image.size) == ("JPEG", (1200, 675))


@pytest.mark.usefixtures("stored_demo")
def test_one_place_is_double_booked_and_some_are_for_several_at_once():
    [clash] = find_clashes(load_programme().occasions.values())
    titles = {each.event.title for each in clash}
    assert titles == {"Prova på rodd", "Fisksoppa på bryggan"}
    marked = models.Location.objects.filter(parallel=True)
    assert {each.name for each in marked} == {"På nätet", "Ängen"}


def test_clearing_deletes_the_demos_pictures_once_it_is_committed(
    stored_demo, django_capture_on_commit_callbacks
):
    events = models.Event.objects.exclude(image="")
    events.filter(title="Avslutningsfesten").update(source="", source_id="")
    files = dict(events.values_list("image", "source"))
    with django_capture_on_commit_callbacks(execute=True):
        creation.clear()
        assert [name for name in files if not default_storage.exists(name)] == []
    kept = [source for name, source in files.items() if default_storage.exists(name)]
    assert kept == [""]


@pytest.mark.usefixtures("stored_demo")
def test_every_row_is_valid():
    for model in creation.MODELS:
        for row in model.objects.all():
            row.full_clean()


@pytest.mark.usefixtures("stored_demo")
def test_moments_are_past_and_in_order():
    for event in models.Event.objects.filter(status="published"):
        told = [each.told_at for each in models.News.objects.filter(event_id=event.pk).exclude(kind="new")]
        moments = [event.published_at, *told[:1], event.last_modified, NOON]
        assert moments == sorted(moments), event
        assert {each.published_at for each in event.occasions.all()} == {event.published_at}
    assert models.Festival.objects.get().saved_at == NOON


@pytest.mark.usefixtures("stored_demo")
def test_clearing_leaves_gone_occasions_alone():
    published = models.Occasion.objects.exclude(published_at=None).count()
    creation.clear()
    left = {model.__name__: model.objects.count() for model in apps.get_app_config("programme").get_models()}
    revision, gone = left.pop("Revision"), left.pop("GoneOccasion")
    assert (revision, gone) == (1, published)
    # A row for each event.
    assert left.pop("ChangedEvent") > 0
    # When a year was first published never changes.
    assert left.pop("PublishedYear") > 0
    assert set(left.values()) == {0}
    assert not creation.has_programme()


def test_an_empty_database_has_no_programme():
    assert [describe() for describe in WHAT_THERE_IS] == [False, False, []]


@pytest.mark.parametrize("model", [models.Festival, models.Area])
def test_a_festival_or_an_area_is_another_programme(model):
    fields = {"name_sv": "Kulturnatten"} if model is models.Festival else {"name": "Parken"}
    model.objects.create(**fields)
    assert (creation.has_programme(), creation.has_demo()) == (True, False)


@pytest.mark.usefixtures("stored_demo")
def test_an_edited_demo_is_still_the_demo():
    models.Event.objects.update(title="Ändrad")
    assert [describe() for describe in WHAT_THERE_IS] == [True, True, []]


@pytest.mark.usefixtures("stored_demo")
def test_a_renamed_festival_and_events_of_other_origin_are_described():
    models.Festival.objects.update(name_sv="Kulturnatten")
    models.Event.objects.filter(title="Morgonbad").update(source="", source_id="")
    models.Event.objects.filter(title="Språkkafé").update(source="https://schema.example/frab.xml")
    assert creation.describe_other_content() == ["the festival “Kulturnatten”", "2 events of other origin"]


@pytest.mark.usefixtures("stored_demo")
def test_the_demo_is_over_when_its_last_occasion_has_ended():
    last = models.Occasion.objects.latest("end").end
    for instant, done in ((last - timedelta(seconds=1), creation.UNCHANGED), (last, creation.PAST)):
        assert creation.create_or_keep(instant, STOCKHOLM, start_over=False) == done


@pytest.mark.parametrize(
    ("at", "times"),
    [
        ("3 18:00-19:00", [(3, time(18), time(19), None)]),
        ("2,4 22:00-03:00", [(2, time(22), time(3), None), (4, time(22), time(3), None)]),
        ("1-3 09:00-09:30", [(day, time(9), time(9, 30), None) for day in (1, 2, 3)]),
        ("1 20:00-5 23:00", [(1, time(20), time(23), 5)]),
    ],
)
def test_times_of_occasions_are_read(at, times):
    assert list(parse_times(at)) == times


@pytest.mark.parametrize("at", ["6 10:00-11:00", "3 10-11"])
def test_times_that_cannot_be_read_are_refused(at):
    with pytest.raises(ValueError, match="not the times of an occasion"):
        list(parse_times(at))
