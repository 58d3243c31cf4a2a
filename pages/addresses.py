"""The addresses of pages in Swedish and English, and of selections in them."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from django.utils.text import slugify
from msgspec.structs import replace

from feeds.selection import Selection
from feeds.vocabulary import LANGUAGES, Festival, LanguageCode, Location, OccasionList, build_news_path

START: Mapping[LanguageCode, str] = {"sv": "/", "en": "/en/"}
SUBSCRIBE: Mapping[LanguageCode, str] = {"sv": "/prenumerera", "en": "/en/subscribe"}
DEVELOPERS: Mapping[LanguageCode, str] = {"sv": "/utvecklare", "en": "/en/developers"}
# The examples of the element for other websites.
SHOWCASE: Mapping[LanguageCode, str] = {"sv": "/utvecklare/element", "en": "/en/developers/element"}
MY_PROGRAMME: Mapping[LanguageCode, str] = {"sv": "/mitt-program", "en": "/en/my-programme"}
PRACTICAL: Mapping[LanguageCode, str] = {"sv": "/praktiskt", "en": "/en/practical"}
PLACE: Mapping[LanguageCode, str] = {"sv": "/plats", "en": "/en/place"}
# The list for frames of other websites; with a number, the page of an editors' list.
EMBED: Mapping[LanguageCode, str] = {"sv": "/lista", "en": "/en/list"}
# The same list as a fragment, for servers of other websites to include.
FRAGMENT: Mapping[LanguageCode, str] = {"sv": "/lista.html", "en": "/en/list.html"}
# All coming occasions, for printing and for reading offline.
EVERYTHING: Mapping[LanguageCode, str] = {"sv": "/allt", "en": "/en/all"}
OFFLINE: Mapping[LanguageCode, str] = {"sv": "/utan-nat", "en": "/en/offline"}
# The API of visitors' lists; with a secret below it, a list's calendar.
MY_LIST = "/my-list"
LIST_STYLE, COMPONENT, OEMBED = "/lista.css", "/embed/v1.js", "/oembed"
NEWS: Mapping[LanguageCode, str] = {each: build_news_path(each) for each in LANGUAGES}
EDITIONS: Mapping[LanguageCode, str] = {"sv": "/tidigare", "en": "/en/earlier"}
OTHER: Mapping[LanguageCode, LanguageCode] = {"sv": "en", "en": "sv"}


def build_path(path: str, selection: Selection, **more: str) -> str:
    """Return a page's path with a selection and non-empty parameters; the path implies the language."""
    parameters = urlencode({name: value for name, value in more.items() if value})
    query = "&".join(filter(None, (replace(selection, language="sv").query, parameters)))
    return f"{path}?{query}" if query else path


def build_own_path(url: str, base_url: str) -> str:
    """Return the path of an address of the service, which may have other host names; any other unchanged."""
    return url.removeprefix(base_url) if url.startswith(f"{base_url}/") else url


def build_paths(language: LanguageCode, selection: Selection) -> dict[str, str]:
    """Return the paths that all pages link to, some with the selection of the page."""
    return {
        "programme": build_path(START[language], Selection(edition=selection.edition)),
        "subscribe": SUBSCRIBE[language],
        "subscribe_selection": build_path(SUBSCRIBE[language], selection),
        "developers": build_path(DEVELOPERS[language], selection),
        "my_programme": MY_PROGRAMME[language],
        "news": build_path(NEWS[language], selection),
    }


def list_written(festival: Festival) -> list[LanguageCode]:
    """Return the languages in which there is a practical page."""
    texts = (festival.practical, festival.map_alt) if festival.theme.map_url else (festival.practical,)
    return [each for each in festival.languages if any(getattr(text, each) for text in texts)]


def build_feed_path(
    extension: str, selection: Selection, limit: int | None = None, of: str = "events"
) -> str:
    language = "en" if selection.language == "en" else ""
    return build_path(f"/api/{of}.{extension}", selection, language=language, limit=str(limit or ""))


def build_discovery_url(base_url: str, path: str) -> str:
    """Return the oEmbed address of a page, for its head."""
    return f"{base_url}{OEMBED}?{urlencode({'url': f'{base_url}{path}'})}"


def build_place_path(location: Location, language: LanguageCode, edition: str = "") -> str:
    return _build_named_path(PLACE[language], location.id, location.name, edition)


def build_occasion_list_path(shown: OccasionList, language: LanguageCode, edition: str = "") -> str:
    return _build_named_path(EMBED[language], shown.id, shown.title.within(language), edition)


def _build_named_path(path: str, key: int, name: str, edition: str) -> str:
    """Return the path of a page with an ID, and a name that is only for people."""
    named = "/".join(filter(None, (f"{path}/{key}", quote(slugify(name, allow_unicode=True)))))
    return build_path(named, Selection(edition=edition))
