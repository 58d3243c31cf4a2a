"""What stands around the content of every page: menu, footer, feeds, colours."""

import re
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import translation
from django.utils.translation import gettext as _

from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.addresses import MY_PROGRAMME, START, SUBSCRIBE, build_feed_path, build_path
from pages.details import safe_url
from pages.theme import build_style
from programme.backoffice.timetable.colors import assign_colors

# What feed readers and calendars look for in the head of a page.
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
    language: LanguageCode, snapshot: Snapshot | None, selection: Selection | None = None
) -> dict[str, Any]:
    """Return what the layout shows; without a snapshot, what can be said without one."""
    paths = {"programme": START[language], "subscribe": SUBSCRIBE[language], "mine": MY_PROGRAMME[language]}
    paths["taken"] = build_path(SUBSCRIBE[language], selection or Selection(language=language))
    layout: dict[str, Any] = {"paths": paths, "menu": _menu(paths)}
    if snapshot is None:
        return layout | {"festival": _("Festival programme")}
    programme = snapshot.programme
    return layout | {
        "until": snapshot.ends.isoformat() if snapshot.ends else "",
        "festival": festival_name(programme, language),
        "website": safe_url(programme.festival.website),
        # What is shown of a page without a picture of its own where somebody shares it.
        "card": safe_url(programme.festival.theme.logo_url) or _card(programme.site.base_url),
        "logo": safe_url(programme.festival.theme.logo_url),
        "style": build_style(programme.festival.theme),
        "feeds": _feeds(programme, selection or Selection(language=language)),
    }


def festival_name(programme: Programme, language: LanguageCode) -> str:
    """Return the festival's name, or words for a festival that has none yet."""
    with translation.override(language):
        return programme.festival.name.within(language) or _("Festival programme")


def _menu(paths: dict[str, str]) -> list[MenuItem]:
    return [
        MenuItem("programme", _("Programme"), paths["programme"]),
        MenuItem("mine", _("My programme"), paths["mine"]),
        MenuItem("subscribe", _("Subscribe"), paths["taken"]),
    ]


def _feeds(programme: Programme, selection: Selection) -> list[FeedLink]:
    language = selection.language
    titles = ", ".join((programme.festival.name.within(language), *programme.index.titles(selection)))
    return [
        FeedLink(
            media_type=each.media_types[0],
            path=build_feed_path(each.extension, selection),
            title=f"{titles} ({each.label.within(language)})",
        )
        for each in FORMATS
        if each.extension in DISCOVERABLE_FORMATS
    ]


def _card(base_url: str) -> str:
    return urljoin(f"{base_url}/", staticfiles_storage.url(CARD))


def list_area_colors(snapshot: Snapshot) -> list[tuple[int, str]]:
    """Return the colour of each area, by its ID, as a style sheet may have it."""
    own = [(area.id, area.color if COLOR.fullmatch(area.color) else "") for area in snapshot.programme.areas]
    return list(assign_colors(own).items())
