"""A programme with everything that a backup must keep."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from pytest_django.fixtures import Settings

from festival.accounts.models import CacheEntry
from pages.starred import store
from programme.history import edits
from programme.models import Event, Festival, Occasion, Upload
from tests import programmes
from tests.conftest import NOW, SetClock

IMAGE = b"not really an image, which a backup does not look into"


@pytest.fixture
def filled(transactional_db: None, sample: None, at: SetClock, settings: Settings, tmp_path: Path) -> Path:
    """The sample with an account, a session, an image, history, a gone occasion, an upload and a list of stars.

    It is the folder of its images.
    """
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "events").mkdir(parents=True)
    (tmp_path / "media" / "events" / "jazz.jpg").write_bytes(IMAGE)
    settings.BACKUP_DIR = tmp_path / "backups"
    editor = User.objects.create_user("åsa", password="sommarnattens leende")
    with edits.record(editor, NOW, reason="Saved"):
        Event.objects.filter(pk=programmes.JAZZ).update(image="events/jazz.jpg")
        Occasion.objects.filter(event=programmes.NIGHT).first().delete()
    Upload.objects.create(
        user=editor, name="schema.xlsx", content=b"\x00\xff", options={"b": [1.5], "a": None}
    )
    store.create([programmes.JAZZ, 8001], NOW.date())
    Session.objects.create(session_key="a-session-that-a-thief-would-use", session_data="", expire_date=NOW)
    CacheEntry.objects.create(cache_key="attempts", value="1", expires=NOW)
    Festival.objects.update(subtitle_sv="Rad ett\u2028och två")
    return tmp_path / "media"
