"""The layout around the content of every page: menu, footer, feeds, and the festival's colours and fonts."""

import re
from collections.abc import Container, Iterator
from typing import Any
from urllib.parse import urljoin

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import translation
from django.utils.translation import gettext as _

from feeds.contrast import assign_colors, write_accents
from feeds.formats import FORMATS
from feeds.news_formats import NewsAtomFormat
from feeds.news_wording import NEWS_WORDS
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Headings, LanguageCode, Theme, safe_url
from pages.addresses import EDITIONS, MY_PROGRAMME, NEWS, START, SUBSCRIBE, build_feed_path, build_path
from pages.editions import describe_edition

# Imported values pass no form: only these may get into a style sheet.
ADDRESS = re.compile(r"[^\s\"'<>\\]+")

FONT_STACKS: dict[str, str] = {
    Headings.SERIF: "",
    Headings.SANS: "var(--text-font)",
    Headings.GEOMETRIC: 'Avenir, Montserrat, Corbel, "URW Gothic", "Century Gothic", sans-serif',
    Headings.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, '
    '"Arial Rounded MT Bold", Calibri, sans-serif',
    Headings.SLAB: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
}


def build_style(theme: Theme) -> str:
    declarations = [*write_accents(theme.color), *_fonts(theme)]
    return _face(theme.font_url) + (f":root{{{';'.join(declarations)}}}" if declarations else "")


def _fonts(theme: Theme) -> Iterator[str]:
    stack = FONT_STACKS.get(theme.headings, "")
    if ADDRESS.fullmatch(theme.font_url):
        yield f"--heading-font:festival,{stack or 'serif'}"
    elif stack:
        yield f"--heading-font:{stack}"


def _face(url: str) -> str:
    if not ADDRESS.fullmatch(url):
        return ""
    return f'@font-face{{font-family:festival;src:url("{url}") format("woff2");font-display:swap}}'


# Feed readers and calendars look for these in the head of a page.
DISCOVERABLE_FORMATS = ("atom", "rss", "ics")
CARD = "pages/icon-512.png"
CSS_COLOR = re.compile("#[0-9a-fA-F]{3,8}")


def build_layout(
    language: LanguageCode, snapshot: Snapshot | None, selection: Selection | None
) -> dict[str, Any]:
    """Return the context of the layout; without a snapshot, the part that needs no programme."""
    selection = selection or Selection(language=language)
    paths = {
        "programme": build_path(START[language], Selection(edition=selection.edition)),
        "subscribe": SUBSCRIBE[language],
        "subscribe_selection": build_path(SUBSCRIBE[language], selection),
        "my_programme": MY_PROGRAMME[language],
        "news": build_path(NEWS[language], selection),
    }
    menu = [
        {"name": "programme", "label": _("Programme"), "path": paths["programme"]},
        {"name": "my_programme", "label": _("My programme"), "path": paths["my_programme"]},
        {"name": "subscribe", "label": _("Subscribe"), "path": paths["subscribe_selection"]},
    ]
    layout: dict[str, Any] = {"paths": paths, "menu": menu}
    if snapshot is None:
        return layout | {"festival": _("Festival programme"), "style": ""}
    programme = snapshot.programme
    festival, base_url = programme.festival, programme.site.base_url
    logo_url = safe_url(festival.theme.logo_url)
    return layout | {
        "until": snapshot.ends.isoformat() if snapshot.ends else "",
        "festival": get_festival_name(programme, language, selection.edition),
        "edition": describe_edition(snapshot, language),
        "editions": EDITIONS[language] if len(programme.editions) > 1 else "",
        "website": safe_url(festival.website),
        "logo": logo_url,
        # The picture that link previews show of a page without one of its own.
        "card": logo_url or urljoin(f"{base_url}/", staticfiles_storage.url(CARD)),
        "style": build_style(festival.theme),
        "feeds": _build_feed_links(programme, selection),
    }


def get_festival_name(programme: Programme, language: LanguageCode, edition: str = "") -> str:
    """Return the name of the festival, with its edition's if that is asked for."""
    with translation.override(language):
        return programme.find_title(language, asked=bool(edition)) or _("Festival programme")


def build_area_rules(snapshot: Snapshot, shown: Container[int] | None = None) -> str:
    """Return the rules that give areas their colours: all areas, or those that are `shown`."""
    own = [
        (area.id, area.color if CSS_COLOR.fullmatch(area.color) else "")
        for area in snapshot.programme.listed_areas
    ]
    colors = assign_colors(own).items()
    return "".join(f".a{area}{{--c:{color}}}" for area, color in colors if shown is None or area in shown)


def _build_feed_links(programme: Programme, selection: Selection) -> list[dict[str, str]]:
    language = selection.language
    named = programme.find_title(language, asked=bool(selection.edition))
    titles = ", ".join((named, *programme.index.titles(selection)))
    # What follows changes is the first that feed readers are offered.
    news = {
        "media_type": NewsAtomFormat.sent_as,
        "path": build_feed_path(NewsAtomFormat.extension, selection, of="news"),
        "title": f"{titles}: {NEWS_WORDS[language].heading}",
    }
    programmes = [
        {
            "media_type": each.sent_as,
            "path": build_feed_path(each.extension, selection),
            "title": f"{titles} ({each.label.within(language)})",
        }
        for each in FORMATS
        if each.extension in DISCOVERABLE_FORMATS
    ]
    return [news, *programmes]
