"""An occasion that was moved says from when in what people read of it, and nowhere else."""

import re

import pytest
from django.test import Client

from feeds.formats import FORMATS
from programme import models
from programme.publishing.current import current
from tests.conftest import NOW
from tests.programmes import utc

pytestmark = pytest.mark.usefixtures("sample", "at")

MOVED = 8015
BEFORE = utc(2026, 7, 28, 13)
# What a person reads of an occasion, as HTML in XML.
CONTENT = re.compile(rb"<(content|content:encoded)[ >].*?</\1>", re.DOTALL)
SAID = {
    "sv": "Flyttad från tis 28 jul 15:00. Åska över parken",
    "en": "Moved from Tue 28 Jul 15:00. Åska över parken",
}


@pytest.fixture(autouse=True)
def _marked(sample: None) -> None:
    models.Occasion.objects.filter(id=MOVED).update(change_info="Åska över parken", changed_at=NOW)
    models.Event.objects.update(last_modified=utc(2026, 7, 20, 7))


def read_all(client: Client) -> dict[tuple[str, str], bytes]:
    paths = [(each.extension, language) for each in FORMATS for language in ("sv", "en")]
    return {
        (extension, language): client.get(f"/api/events.{extension}?language={language}").content
        for extension, language in paths
    }


def test_only_contents_say_from_when_it_was_moved(client: Client) -> None:
    plain = read_all(client)
    modified = models.Event.objects.values_list("id", "last_modified")
    models.Occasion.objects.filter(id=MOVED).update(previous_start=BEFORE)
    # The documents differ by the previous start alone.
    for key, moment in modified:
        models.Event.objects.filter(id=key).update(last_modified=moment)
    current.clear()
    moved = read_all(client)
    changed = {key for key, body in moved.items() if body != plain[key]}
    assert changed == {(name, language) for name in ("atom", "rss", "rss-wp") for language in ("sv", "en")}
    for key in changed:
        assert CONTENT.sub(b"", moved[key]) == CONTENT.sub(b"", plain[key])
        contents = [found[0].decode() for found in CONTENT.finditer(moved[key])]
        assert [SAID[key[1]] in content for content in contents].count(True) == 1
    typed = b"<ext:eventChangedInfo>\xc3\x85ska \xc3\xb6ver parken</ext:eventChangedInfo>"
    assert all(moved[key].count(typed) == 1 for key in changed)
    [element] = [each for each in client.get("/api/events.json").json() if each["occation"]["id"] == MOVED]
    assert element["changeInfo"] == "Åska över parken"
