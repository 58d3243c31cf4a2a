"""What programs that people have make of our documents: `make consumers` (docs/consumers.md).

Each test is skipped with a word where its program is not installed. What Debian does not have is taken from the folder
that CONSUMER_SOURCES names: `rss-importer`, `feedwordpress` and `phpBB`, as they are released.
"""

import os
import random
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import html5lib
import pytest
from django.test import Client

from programme import models
from tests.conftest import NOW, SetClock
from tests.consumers import feed_readers, wordpress
from tests.consumers.relay import Relay, serve
from tests.programmes import JAZZ

SOURCES = Path(os.environ.get("CONSUMER_SOURCES", "/nonexistent"))
PHPBB = Path(__file__).parent / "phpbb.php"
UPCOMING, ALL = "/api/events.rss-wp?date=upcoming", "/api/events.rss-wp"
AWKWARD = 'a<b und <b>tags</b> &amp; mehr, 1 < 2 & 3 ]]> "c\'t"'
INVISIBLE = "\u200b"
# Between a bracket and the next one, quotation marks may be typographic.
STRAIGHT = str.maketrans("”’", "\"'")

pytestmark = [pytest.mark.usefixtures("sample", "at")]


@pytest.fixture
def relay(client: Client) -> Iterator[Relay]:
    with serve(client) as relay:
        yield relay


def find_source(name: str) -> Path:
    if not (SOURCES / name).is_dir():
        pytest.skip(f"CONSUMER_SOURCES names no folder with {name}")
    return SOURCES / name


def parse(html: str) -> Any:
    return html5lib.parseFragment(html, namespaceHTMLElements=False)


def read(html: str) -> str:
    """Return what people read of a piece of HTML, as one line."""
    return " ".join("".join(parse(html).itertext()).split())


def list_elements(client: Client, path: str = "/api/events") -> list[dict[str, Any]]:
    elements: list[dict[str, Any]] = client.get(path).json()
    return elements


# --- WordPress ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed() -> Iterator[wordpress.WordPress]:
    if missing := wordpress.find_missing():
        pytest.skip(f"not installed: {missing}")
    plugins = [SOURCES / name for name in ("feedwordpress",) if (SOURCES / name).is_dir()]
    with TemporaryDirectory() as folder:
        # The database runs as a user of its own.
        Path(folder).chmod(0o755)
        with wordpress.install(Path(folder), plugins) as blog:
            yield blog


@pytest.fixture
def blog(installed: wordpress.WordPress) -> wordpress.WordPress:
    installed.run("empty")
    return installed


def list_starts(addresses: list[str], client: Client, year: str = "2026") -> list[str]:
    """Return when the occasions with these addresses start, of those in a year; each occasion stands once."""
    starts = {
        each["occation"]["url"]["sv"]: f"{each['occation']['date']} {each['occation']['startTime']}"
        for each in list_elements(client)
    }
    assert len(set(addresses)) == len(addresses)
    return [starts[each] for each in addresses if starts[each].startswith(year)]


def expect_posts(posts: list[dict[str, Any]], client: Client) -> None:
    """Expect a published post for each occasion, newest first: what starts first."""
    assert len(posts) == len(list_elements(client))
    assert {post["status"] for post in posts} == {"publish"}
    starts = list_starts([post["guid"] for post in posts], client)
    assert starts == sorted(starts)


def test_wordpress_shows_what_comes_next_first(
    blog: wordpress.WordPress, relay: Relay, client: Client
) -> None:
    address = relay.address(UPCOMING)
    found = blog.run("fetch", url=address, port=relay.port)
    assert "error" not in found
    shown = [item["link"] for item in found["items"]]
    upcoming = [each["occation"]["url"]["sv"] for each in list_elements(client, "/api/events?date=upcoming")]
    # What starts at the same minute has the same date, and stands in any order.
    assert sorted(shown) == sorted(upcoming)
    assert list_starts(shown, client) == list_starts(upcoming, client)
    block = blog.run("block", url=address, port=relay.port, items=3)["html"]
    assert [each.get("href") for each in parse(block).iter("a")] == shown[:3]


def test_the_rss_importer_publishes_all_and_adds_nothing_the_next_day(
    blog: wordpress.WordPress, client: Client, at: SetClock, tmp_path: Path
) -> None:
    plugin = find_source("rss-importer") / "rss-importer.php"
    upload = tmp_path / "events.xml"

    def import_programme() -> list[dict[str, Any]]:
        upload.write_bytes(client.get(ALL).content)
        posts: list[dict[str, Any]] = blog.run("import", plugin=str(plugin), file=str(upload))["posts"]
        return posts

    first = import_programme()
    expect_posts(first, client)
    for days in (1, 3, 200):
        # The mark of change has expired in between: posts do not show it by the clock.
        at(NOW + timedelta(days=days))
        assert import_programme() == first


def test_feedwordpress_takes_over_what_is_edited_and_moved(
    blog: wordpress.WordPress, relay: Relay, client: Client
) -> None:
    find_source("feedwordpress")
    address = relay.address(ALL)
    blog.run("subscribe", url=address)
    first = blog.run("syndicate", url=address, port=relay.port)["posts"]
    expect_posts(first, client)
    moved = models.Occasion.objects.get(id=8001)
    moved.start += timedelta(days=1)
    moved.end += timedelta(days=1)
    moved.save()
    models.Event.objects.filter(id=moved.event_id).update(description_sv="Alldeles nytt.")
    relay.fetch(ALL)
    second = blog.run("syndicate", url=address, port=relay.port)["posts"]
    assert {post["id"] for post in second} == {post["id"] for post in first}
    # It updates title and text of a post, not its date.
    (post,) = (post for post in second if post["guid"].endswith("/8001"))
    assert post["title"].startswith("tor 30 jul 2026 16:00–17:00 ")
    assert sum("Alldeles nytt." in read(post["html"]) for post in second) == 3


def test_texts_arrive_whole_in_posts(
    blog: wordpress.WordPress, relay: Relay, client: Client, tmp_path: Path
) -> None:
    change_texts()
    plugin = find_source("rss-importer") / "rss-importer.php"
    (tmp_path / "one.xml").write_bytes(client.get("/api/occations/8001.rss-wp").content)
    (post,) = blog.run("import", plugin=str(plugin), file=str(tmp_path / "one.xml"))["posts"]
    # WordPress sets quotes by the language of the blog.
    assert AWKWARD.partition(' "')[0] in read(post["html"])
    assert AWKWARD.partition(' "')[0] in post["title"]


# --- Feed readers -------------------------------------------------------------------------------


def change_texts() -> None:
    models.Event.objects.filter(id=JAZZ).update(title=AWKWARD, intro_sv=AWKWARD, description_sv=AWKWARD)


# Of Atom it sends the plain summary; of RSS the introduction and the description.
@pytest.mark.parametrize(("extension", "count"), [("rss", 2), ("rss-wp", 2), ("atom", 1)])
def test_texts_arrive_whole_in_mails(relay: Relay, tmp_path: Path, extension: str, count: int) -> None:
    change_texts()
    path = f"/api/occations/8001.{extension}"
    (mail,) = feed_readers.read_with_rss2email(relay.address(path), tmp_path)
    assert " ".join(mail.get_content().split()).count(AWKWARD) == count
    # RSS does not say whether a title is HTML, and feedparser takes one with tags for it.
    assert (AWKWARD in mail["subject"]) == (extension == "atom")


# --- Forums -------------------------------------------------------------------------------------


def show_in_phpbb(posted: bytes) -> Any:
    command = ["php", PHPBB, find_source("phpBB")]
    html = subprocess.run(command, input=posted, check=True, capture_output=True).stdout.decode()
    return parse(html.replace(INVISIBLE, ""))


def list_links(post: Any) -> list[tuple[str, str]]:
    """Return the addresses and texts of a post's links, with straight quotation marks."""
    links = post.iter("a")
    return [(each.get("href"), "".join(each.itertext()).translate(STRAIGHT)) for each in links]


def test_phpbb_understands_every_tag_and_changes_no_text(client: Client) -> None:
    awkward = """c't "quoted" [b]bold[/b] [url="x [/url] [*] [ ] [i='"""
    models.Event.objects.filter(id=JAZZ).update(title=awkward, intro_sv=awkward, description_sv=awkward)
    posted = client.get("/api/events.bbcode").content
    post = show_in_phpbb(posted)
    programme = list_elements(client)
    assert list_links(post) == [(each["occation"]["url"]["sv"], each["title"]) for each in programme]
    styles = [each.get("style") for each in post.iter("span")]
    assert styles.count("font-weight:bold") == len(programme)
    words = [
        "".join(each.itertext()) for each in post.iter("span") if each.get("style") == "font-style:italic"
    ]
    cancelled = [each for each in programme if each["cancelled"]]
    assert len(words) == len(cancelled) + sum(bool(each["organizer"]) for each in programme)
    assert sum(each.startswith("INSTÄLLT.") for each in words) == len(cancelled) > 0
    # Title, introduction and description of three occasions.
    assert "".join(post.itertext()).translate(STRAIGHT).count(awkward) == 9


def test_no_text_opens_a_tag_in_phpbb(client: Client) -> None:
    draw = random.Random(36)  # noqa: S311 - the same texts each time
    template = models.Occasion.objects.filter(event_id=JAZZ)[0]
    for _number in range(300):
        texts = ["".join(draw.choices("[]=\"'/b *u", k=12)).strip() or "x" for _text in range(3)]
        values = dict(zip(("title", "intro_sv", "description_sv"), texts, strict=True))
        event = models.Event.objects.get(id=JAZZ)
        for name, text in (values | {"pk": None}).items():
            setattr(event, name, text)
        event.save()
        models.Occasion.objects.create(event=event, start=template.start, end=template.end)
    shown = show_in_phpbb(client.get("/api/events.bbcode").content)
    programme = list_elements(client)
    assert len(programme) > 300
    assert list_links(shown) == [(each["occation"]["url"]["sv"], each["title"]) for each in programme]
    assert {each.tag for each in shown.iter()} == {"DOCUMENT_FRAGMENT", "a", "br", "span"}
