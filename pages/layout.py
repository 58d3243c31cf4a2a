"""The layout around the content of every page: menu, footer, feeds, and the festival's colours and fonts."""

import re
from collections.abc import Container, Iterator
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from feeds.contrast import COLOR, assign_colors, choose_foreground
from feeds.formats import BY_EXTENSION
from feeds.news_formats import NewsAtomFormat
from feeds.news_wording import NEWS_WORDS
from feeds.palette import USUAL_DARK, USUAL_LIGHT, clean_colors, complete, write_accents
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Headings, LanguageCode, Theme, safe_url
from pages.addresses import EDITIONS, PRACTICAL, build_feed_path, build_own_path, build_paths, list_written
from pages.editions import describe_edition
from pages.pictures import Figure
from programme.models.festival_images import ICON_SIZES

FONT_STACKS: dict[str, str] = {
    Headings.SERIF: "",
    Headings.SANS: "var(--text-font)",
    Headings.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, '
    '"Arial Rounded MT Bold", Calibri, sans-serif',
    Headings.SLAB: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
}
TEXT_STACKS = FONT_STACKS | {
    Headings.SERIF: '"Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif',
    Headings.SANS: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
}

# With a single scheme the logo suits its background, and needs no light box in dark mode.
LOGO = "header.site .brand img{margin:0;padding:0;background:none}"


def write_palette(theme: Theme) -> str:
    """Return the rule of the further colours, '' without any; printed paper remains white."""
    face = complete(theme)
    declarations = [
        f"--{name}:light-dark({face.light[name]},{face.dark[name]})"
        for name, usual in USUAL_LIGHT.items()
        if (face.light[name], face.dark[name]) != (usual, USUAL_DARK[name])
    ]
    if not declarations:
        return ""
    rule = ";".join([*([f"color-scheme:{face.only}"] if face.only else []), *declarations])
    logo = LOGO if face.only else ""
    # Browsers from before 2024 have the default colours.
    return f"@supports(color:light-dark(#000,#fff)){{@media screen{{:root{{{rule}}}{logo}}}}}"


def choose_bar_colors(theme: Theme) -> tuple[str, str] | None:
    """Return the colours of the browser's bar in light and dark mode, None without a chosen colour."""
    chosen, face = clean_colors(theme), complete(theme)
    if not any(chosen.values()):
        return None
    name = "paper" if chosen["background"] or chosen["dark_background"] else "fill"
    return face.light[name], face.dark[name]


def build_style(theme: Theme) -> str:
    """Return the rules of the festival's colours and fonts, '' without any."""
    # A text without a choice has the typeface of variables.css.
    body, stacks = TEXT_STACKS.get(theme.body, ""), TEXT_STACKS if theme.body else FONT_STACKS
    fonts = {"text": body, "heading": stacks.get(theme.headings, "")}
    declarations = [*write_accents(theme), *(f"--{of}-font:{each}" for of, each in fonts.items() if each)]
    own = f":root{{{';'.join(declarations)}}}" if declarations else ""
    return f"{own}{write_palette(theme)}"


# Characters that a string in a style sheet must escape.
SPECIAL = re.compile(r"[^\w .,:;()–-]")


def build_running_head(text: str, side: str = "left") -> str:
    """Return the rule that prints a text at the top of every sheet."""
    written = SPECIAL.sub(lambda found: f"\\{ord(found[0]):x} ", text)
    return f'@page{{@top-{side}{{content:"{written}"}}}}' if text else ""


# Feed readers and calendars look for these in the head of a page.
DISCOVERABLE_FORMATS = ("atom", "rss", "ics")


def build_layout(
    language: LanguageCode, snapshot: Snapshot | None, selection: Selection | None
) -> dict[str, Any]:
    """Return the context of the layout; without a snapshot, only values that need no programme."""
    selection = selection or Selection(language=language)
    paths = build_paths(language, selection)
    menu = [
        {"name": "programme", "label": _("Programme"), "path": paths["programme"]},
        {"name": "my_programme", "label": _("My programme"), "path": paths["my_programme"]},
        {"name": "news", "label": _("News"), "path": paths["news"]},
        {"name": "subscribe", "label": _("Subscribe"), "path": paths["subscribe_selection"]},
    ]
    layout: dict[str, Any] = {"paths": paths, "menu": menu}
    if snapshot is None:
        return layout | {"festival": _("Festival programme"), "style": ""}
    programme = snapshot.programme
    festival = programme.festival
    if language in list_written(festival):
        menu.append({"name": "practical", "label": _("Info"), "path": PRACTICAL[language]})
    logo_url, hero_url = safe_url(festival.theme.logo_url), safe_url(festival.theme.hero_url)
    name, links = get_festival_name(programme, language, selection.edition), festival.links
    fixed = (
        (_("Contact"), links.contact_url),
        (_("Privacy"), links.privacy_url),
        (_("Accessibility statement"), links.accessibility_url),
    )
    # `Name https://example.org`
    sponsors = (line.strip().rpartition(" ")[::2] for line in links.sponsors.splitlines())
    return layout | {
        "until": snapshot.ends.isoformat() if snapshot.ends else "",
        "festival": name,
        "edition": describe_edition(snapshot, language),
        "editions": EDITIONS[language] if len(programme.editions) > 1 else "",
        "website": safe_url(festival.website),
        "logo": build_own_path(logo_url, programme.site.base_url),
        "hero": build_own_path(hero_url, programme.site.base_url),
        "icons": name_icons(festival.theme),
        "bar_colors": choose_bar_colors(festival.theme),
        # Entries without a name or an address are left out.
        "footer_links": [(name, url) for name, url in fixed if safe_url(url)],
        "sponsors": [(name.strip(), url) for name, url in sponsors if name and safe_url(url)],
        # The image of link previews of pages without their own.
        "shared_picture": Figure(hero_url or logo_url, name),
        "style": build_style(festival.theme) + build_running_head(name),
        "feeds": [*_list_feed_links(programme, selection)],
    }


def name_icons(theme: Theme) -> dict[str, str]:
    """Return the addresses of the festival's own icon by use, empty without one."""
    folder = safe_url(theme.icon_url)
    return {use: f"{folder}/{size}.png" for use, size in ICON_SIZES.items() if folder}


def get_festival_name(programme: Programme, language: LanguageCode, edition: str = "") -> str:
    """Return the name of the festival, with its edition's if one is requested."""
    with translation.override(language):
        return programme.find_title(language, asked=bool(edition)) or _("Festival programme")


def build_area_rules(snapshot: Snapshot, shown: Container[int] | None = None) -> str:
    """Return the rules of the colours of all areas, or of the `shown` ones."""
    own = [
        (area.id, area.color if COLOR.fullmatch(area.color.lower()) else "")
        for area in snapshot.programme.listed_areas
    ]
    colors = [each for each in assign_colors(own).items() if shown is None or each[0] in shown]
    return "".join(f".a{area}{{--c:{color};--f:{choose_foreground(color)}}}" for area, color in colors)


def _list_feed_links(programme: Programme, selection: Selection) -> Iterator[tuple[str, str, str]]:
    """Yield media type, path and title of each feed."""
    language = selection.language
    named = programme.find_title(language, asked=bool(selection.edition))
    titles = ", ".join((named, *programme.index.titles(selection)))
    news_path = build_feed_path(NewsAtomFormat.extension, selection, of="news")
    # News comes first, because feed readers offer the first feed.
    yield NewsAtomFormat.sent_as, news_path, f"{titles}: {NEWS_WORDS[language].heading}"
    for each in map(BY_EXTENSION.__getitem__, DISCOVERABLE_FORMATS):
        path = build_feed_path(each.extension, selection)
        yield each.sent_as, path, f"{titles} ({each.label.within(language)})"
