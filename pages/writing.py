"""Writes each page from a snapshot and what it shows."""

from typing import Any

from msgspec.structs import replace

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, build_occasion_path
from pages.addresses import LIST_STYLE, MY_PROGRAMME, OTHER, build_path
from pages.embed import EmbedPage, build_rules, parse_colors
from pages.layout import build_area_rules, get_festival_name
from pages.my_programme import MyProgrammePage
from pages.occasions import OccasionPage
from pages.oembed import build_discovery_url
from pages.practical import PracticalPage
from pages.programme import ProgrammePage
from pages.query import PageQuery
from pages.rendering import Page, link_languages, render_page, write_page
from pages.selected import SelectedPage
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.other_editions import read_titles


def write_selected(name: str, page: SelectedPage) -> Page:
    """Return the page of what a query selects, with the same selection in the links around it."""
    context: dict[str, Any] = {"page": page, "query": page.query, "current_page": name}
    context |= link_languages(page.snapshot, page.language, page.path_in)
    if page.is_embeddable:
        base_url = page.programme.site.base_url
        context["oembed"] = build_discovery_url(base_url, page.path_in(page.language))
    return write_page(name, page.language, page.snapshot, page.selection, page.rules, **context)


def write_face_page(snapshot: Snapshot, language: LanguageCode, name: str) -> Page:
    """Return the first page, or the practical one where that is its name."""
    if name == "practical":
        return write_selected(name, PracticalPage(snapshot, language))
    query = PageQuery(snapshot.programme.select(language))
    return write_selected("programme", ProgrammePage(snapshot, query))


def write_occasion_page(snapshot: Snapshot, found: Occasion, language: LanguageCode) -> Page:
    site, page = snapshot.programme.site, OccasionPage(snapshot, found, language)
    languages = snapshot.programme.festival.languages
    return write_page(
        "occasion",
        language,
        snapshot,
        rules=page.rules,
        page=page,
        oembed=build_discovery_url(site.base_url, build_occasion_path(found.id, language)),
        # It may be a page of the festival's own website.
        urls={each: site.occasion_url(found.identity, each) for each in languages},
        other_language_path=build_occasion_path(found.id, OTHER[language]),
    )


def write_embed_page(snapshot: Snapshot, query: PageQuery) -> Page:
    page, programme, colors = EmbedPage(snapshot, query), snapshot.programme, dict(query.colors)
    path = build_path(page.action, page.selection, **colors)
    context = {
        "page": page,
        "style_sheet": LIST_STYLE,
        "festival": get_festival_name(programme, page.language, page.selection.edition),
        "oembed": build_discovery_url(programme.site.base_url, path),
    }
    style = build_rules(parse_colors(colors), programme.festival.theme)
    return render_page("embed", page.language, style, context)


def write_my_programme_page(snapshot: Snapshot, chosen: Selection, *, is_complete: bool) -> Page:
    programme, language = snapshot.programme, chosen.language
    known = programme.by_id.keys() | programme.gone.keys()
    others = set(chosen.chosen) - known if programme.editions else set()
    try:
        elsewhere = current.ask(lambda: [*read_titles(others, programme)])
        page = MyProgrammePage(snapshot, chosen, elsewhere)
    except DatabaseUnavailable:
        # Until the database answers, nothing is said of them.
        page = MyProgrammePage(snapshot, replace(chosen, chosen=tuple(set(chosen.chosen) - others)))
    base_url = snapshot.programme.site.base_url
    return write_page(
        "my_programme",
        language,
        snapshot,
        page.selection if page.occasions else None,
        build_area_rules(snapshot),
        page=page,
        is_complete=is_complete,
        current_page="my_programme",
        # Search engines get the page without anybody's choice.
        urls={each: f"{base_url}{MY_PROGRAMME[each]}" for each in programme.festival.languages},
        other_language_path=page.path_in(OTHER[language]),
    )
