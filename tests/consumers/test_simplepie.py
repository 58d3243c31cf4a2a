"""What SimplePie, and so WordPress, makes of our RSS: the short form of `make consumers`."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import html5lib
import pytest
from django.test import Client

from programme import models
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("sample", "at")

AWKWARD = 'a<b und <b>tags</b> &amp; mehr, 1 < 2 & 3 ]]> "c\'t"'
# WordPress as Debian installs it. Debian's SimplePie by itself is of 2012 and fails with today's PHP.
WORDPRESS = Path(os.environ.get("CONSUMER_WORDPRESS", "/usr/share/wordpress"))


def read_with_simplepie(body: bytes) -> list[dict[str, Any]]:
    """Return the items in SimplePie's default order."""
    php = shutil.which("php")
    if php is None or not WORDPRESS.is_dir():
        pytest.skip("SimplePie is not installed: needs Debian's php-cli, php-xml and wordpress")
    command = [php, Path(__file__).parent / "simplepie.php", WORDPRESS]
    answer = json.loads(subprocess.run(command, input=body, check=True, capture_output=True).stdout)
    assert answer["error"] is None
    items: list[dict[str, Any]] = answer["items"]
    return items


def test_what_comes_next_stands_first(client: Client) -> None:
    items = read_with_simplepie(client.get("/api/events.rss-wp?date=upcoming").content)
    upcoming: list[dict[str, Any]] = client.get("/api/events?date=upcoming").json()
    starts = {
        each["occation"]["url"]["sv"]: (each["occation"]["date"], each["occation"]["startTime"])
        for each in upcoming
    }
    # What starts at the same minute has the same date, and stands in any order.
    assert [starts[each["id"]] for each in items] == list(starts.values())


@pytest.mark.parametrize("extension", ["rss", "rss-wp", "atom"])
def test_texts_arrive_whole(client: Client, extension: str) -> None:
    models.Event.objects.filter(id=JAZZ).update(title=AWKWARD, intro_sv=AWKWARD, description_sv=AWKWARD)
    (item,) = read_with_simplepie(client.get(f"/api/occations/8001.{extension}").content)
    shown = {name: "".join(html5lib.parseFragment(item[name]).itertext()) for name in item if name != "date"}
    assert shown["title"].endswith(AWKWARD)
    assert shown["description"] == AWKWARD
    # Title apart: introduction and description.
    assert shown["content"].count(AWKWARD) == 2
