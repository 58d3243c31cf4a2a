"""The layout around the content of every page: menu, footer, feeds, colours."""

import re
from collections.abc import Container
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import translation
from django.utils.translation import gettext as _

from feeds.area_colors import assign_colors
from feeds.formats import FORMATS
from feeds.links import safe_url
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Festival, LanguageCode
from pages.addresses import MY_PROGRAMME, START, SUBSCRIBE, build_feed_path, build_path
from pages.theme import build_style

# Feed readers and calendars look for these in the head of a page.
DISCOVERABLE_FORMATS = ("atom", "rss", "ics")
CARD = "pages/icon-512.png"
COLOR = re.compile("#[0-9a-fA-F]{3,8}")


class MenuItem(NamedTuple):
    name: str
    label: str
    path: str


class FeedLink(NamedTuple):
    media_type: str
    path: str
    title: str


def build_layout(
    language: LanguageCode, snapshot: Snapshot | None, selection: Selection | None
) -> dict[str, Any]:
    """Return the context of the layout; without a snapshot, the part that needs no programme."""
    selection = selection or Selection(language=language)
    paths = {
        "programme": START[language],
        "subscribe": SUBSCRIBE[language],
        "subscribe_selection": build_path(SUBSCRIBE[language], selection),
        "my_programme": MY_PROGRAMME[language],
    }
    layout: dict[str, Any] = {"paths": paths, "menu": _build_menu(paths)}
    if snapshot is None:
        return layout | {"festival": _("Festival programme"), "style": ""}
    festival, base_url = snapshot.programme.festival, snapshot.programme.site.base_url
    logo_url = safe_url(festival.theme.logo_url)
    return layout | {
        "until": snapshot.ends.isoformat() if snapshot.ends else "",
        "festival": get_festival_name(festival, language),
        "website": safe_url(festival.website),
        "logo": logo_url,
        # The picture that link previews show of a page without one of its own.
        "card": logo_url or urljoin(f"{base_url}/", staticfiles_storage.url(CARD)),
        "style": build_style(festival.theme),
        "feeds": _build_feed_links(snapshot.programme, selection),
    }


def get_festival_name(festival: Festival, language: LanguageCode) -> str:
    with translation.override(language):
        return festival.name.within(language) or _("Festival programme")


def build_area_rules(snapshot: Snapshot, shown: Container[int] | None = None) -> str:
    """Return the rules that give areas their colours: all areas, or those that are `shown`."""
    own = [(area.id, area.color if COLOR.fullmatch(area.color) else "") for area in snapshot.programme.areas]
    colors = assign_colors(own).items()
    return "".join(f".a{area}{{--c:{color}}}" for area, color in colors if shown is None or area in shown)


def _build_menu(paths: dict[str, str]) -> list[MenuItem]:
    return [
        MenuItem("programme", _("Programme"), paths["programme"]),
        MenuItem("my_programme", _("My programme"), paths["my_programme"]),
        MenuItem("subscribe", _("Subscribe"), paths["subscribe_selection"]),
    ]


def _build_feed_links(programme: Programme, selection: Selection) -> list[FeedLink]:
    language = selection.language
    titles = ", ".join((programme.festival.name.within(language), *programme.index.titles(selection)))
    return [
        FeedLink(
            media_type=each.sent_as,
            path=build_feed_path(each.extension, selection),
            title=f"{titles} ({each.label.within(language)})",
        )
        for each in FORMATS
        if each.extension in DISCOVERABLE_FORMATS
    ]
