"""The addresses of the pages: Swedish at /, English at /en/."""

from collections.abc import Iterator, Mapping

from django.urls import URLPattern, path

from feeds.vocabulary import LANGUAGES, LanguageCode, build_occasion_path
from pages import addresses, site_files, views
from pages.rendering import View

OCCASION = {each: build_occasion_path("<int:occasion_id>", each) for each in LANGUAGES}


def pair(name: str, view: View, paths: Mapping[LanguageCode, str], below: str = "") -> Iterator[URLPattern]:
    """Yield the addresses of a page in each language."""
    for language, start in paths.items():
        yield path(f"{start[1:]}{below}", view, {"language": language}, name=f"{name}-{language}")


urlpatterns = [
    *pair("programme", views.programme, addresses.START),
    *pair("occasion", views.occasion, OCCASION),
    *pair("place", views.place, addresses.PLACE, "/<int:location_id>"),
    *pair("named-place", views.place, addresses.PLACE, "/<int:location_id>/<str:name>"),
    *pair("list", views.listed, addresses.EMBED, "/<int:list_id>"),
    *pair("named-list", views.listed, addresses.EMBED, "/<int:list_id>/<str:name>"),
    *pair("subscribe", views.subscribe, addresses.SUBSCRIBE),
    *pair("developers", views.developers, addresses.DEVELOPERS),
    *pair("element", views.element, addresses.SHOWCASE),
    *pair("mine", views.my_programme, addresses.MY_PROGRAMME),
    *pair("practical", views.practical, addresses.PRACTICAL),
    *pair("news", views.news, addresses.NEWS),
    *pair("news-entry", views.news_entry, addresses.NEWS, "/<uuid:identity>"),
    *pair("editions", views.editions, addresses.EDITIONS),
    *pair("framed", views.embed, addresses.EMBED),
    *pair("fragment", views.fragment, addresses.FRAGMENT),
    *pair("everything", views.everything, addresses.EVERYTHING),
    *pair("offline", views.offline, addresses.OFFLINE),
    *pair("manifest", site_files.manifest, addresses.START, "manifest.webmanifest"),
    path(addresses.LIST_STYLE[1:], site_files.list_style, name="list-style"),
    path(addresses.COMPONENT[1:], site_files.component, name="component"),
    path("embed/v1.html", site_files.stars, name="stars"),
    path(addresses.OEMBED[1:], views.oembed, name="oembed"),
    path("sw.js", site_files.worker, name="worker"),
    path("ns/programme", views.namespace, name="namespace"),
    path("sitemap.xml", site_files.sitemap, name="sitemap"),
    path("robots.txt", site_files.robots, name="robots"),
    path("favicon.ico", site_files.icon, {"name": "favicon.ico"}, name="favicon"),
    path("apple-touch-icon.png", site_files.icon, {"name": "apple-touch-icon.png"}, name="apple-touch-icon"),
]
