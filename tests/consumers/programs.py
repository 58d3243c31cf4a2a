"""What programs that people have make of our documents: `make consumers` (docs/consumers.md).

Each test is skipped with a word where its program is not installed.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import html5lib
import pytest
from django.test import Client

from programme import models
from tests.consumers import feed_readers, wordpress
from tests.consumers.relay import Relay, serve
from tests.programmes import JAZZ

UPCOMING = "date=upcoming"
AWKWARD = 'a<b und <b>tags</b> &amp; mehr, 1 < 2 & 3 ]]> "c\'t"'

pytestmark = [pytest.mark.usefixtures("sample", "at")]


@pytest.fixture
def relay(client: Client) -> Iterator[Relay]:
    with serve(client) as relay:
        yield relay


@pytest.fixture(scope="module")
def blog() -> Iterator[wordpress.WordPress]:
    if missing := wordpress.find_missing():
        pytest.skip(f"not installed: {missing}")
    with TemporaryDirectory() as folder:
        # The database runs as a user of its own.
        Path(folder).chmod(0o755)
        with wordpress.install(Path(folder)) as blog:
            yield blog


def test_wordpress_shows_what_comes_next_first(
    blog: wordpress.WordPress, relay: Relay, client: Client
) -> None:
    address = relay.address(f"/api/events.rss-wp?{UPCOMING}")
    found = blog.run("fetch", url=address, port=relay.port)
    assert "error" not in found
    shown = [item["link"] for item in found["items"]]
    starts = {
        each["occation"]["url"]["sv"]: (each["occation"]["date"], each["occation"]["startTime"])
        for each in client.get(f"/api/events?{UPCOMING}").json()
    }
    # What starts at the same minute has the same date, and stands in any order.
    assert [starts[each] for each in shown] == list(starts.values())
    block = blog.run("block", url=address, port=relay.port, items=3)["html"]
    links = html5lib.parseFragment(block, namespaceHTMLElements=False).iter("a")
    assert [each.get("href") for each in links] == shown[:3]


# Of Atom it sends the plain summary; of RSS the introduction and the description.
@pytest.mark.parametrize(("extension", "count"), [("rss", 2), ("rss-wp", 2), ("atom", 1)])
def test_texts_arrive_whole_in_mails(relay: Relay, tmp_path: Path, extension: str, count: int) -> None:
    models.Event.objects.filter(id=JAZZ).update(title=AWKWARD, intro_sv=AWKWARD, description_sv=AWKWARD)
    path = f"/api/occations/8001.{extension}"
    (mail,) = feed_readers.read_with_rss2email(relay.address(path), tmp_path)
    assert " ".join(mail.get_content().split()).count(AWKWARD) == count
    # RSS does not say whether a title is HTML, and feedparser takes one with tags for it.
    assert (AWKWARD in mail["subject"]) == (extension == "atom")
