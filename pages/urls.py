"""The addresses of the pages: Swedish at /, English at /en/."""

from django.urls import path

from pages import site_files, views

urlpatterns = [
    path("", views.programme, {"language": "sv"}, name="programme-sv"),
    path("en/", views.programme, {"language": "en"}, name="programme-en"),
    path("tillfalle/<int:occasion_id>", views.occasion, {"language": "sv"}, name="occasion-sv"),
    path("en/occasion/<int:occasion_id>", views.occasion, {"language": "en"}, name="occasion-en"),
    path("plats/<int:location_id>", views.place, {"language": "sv"}, name="place-sv"),
    path("plats/<int:location_id>/<str:name>", views.place, {"language": "sv"}, name="named-place-sv"),
    path("en/place/<int:location_id>", views.place, {"language": "en"}, name="place-en"),
    path("en/place/<int:location_id>/<str:name>", views.place, {"language": "en"}, name="named-place-en"),
    path("prenumerera", views.subscribe, {"language": "sv"}, name="subscribe-sv"),
    path("en/subscribe", views.subscribe, {"language": "en"}, name="subscribe-en"),
    path("mitt-program", views.my_programme, {"language": "sv"}, name="mine-sv"),
    path("en/my-programme", views.my_programme, {"language": "en"}, name="mine-en"),
    path("nytt", views.news, {"language": "sv"}, name="news-sv"),
    path("en/news", views.news, {"language": "en"}, name="news-en"),
    path("nytt/<uuid:identity>", views.news_entry, {"language": "sv"}, name="news-entry-sv"),
    path("en/news/<uuid:identity>", views.news_entry, {"language": "en"}, name="news-entry-en"),
    path("lista", views.embed, {"language": "sv"}, name="framed-sv"),
    path("en/list", views.embed, {"language": "en"}, name="framed-en"),
    path("lista.html", views.fragment, {"language": "sv"}, name="fragment-sv"),
    path("en/list.html", views.fragment, {"language": "en"}, name="fragment-en"),
    path("lista.css", site_files.list_style, name="list-style"),
    path("embed/v1.js", site_files.component, name="component"),
    path("oembed", views.oembed, name="oembed"),
    path("utan-nat", views.offline, {"language": "sv"}, name="offline-sv"),
    path("en/offline", views.offline, {"language": "en"}, name="offline-en"),
    path("sw.js", site_files.worker, name="worker"),
    path("ns/programme", views.namespace, name="namespace"),
    path("sitemap.xml", site_files.sitemap, name="sitemap"),
    path("robots.txt", site_files.robots, name="robots"),
    path("manifest.webmanifest", site_files.manifest, {"language": "sv"}, name="manifest-sv"),
    path("en/manifest.webmanifest", site_files.manifest, {"language": "en"}, name="manifest-en"),
    path("favicon.ico", site_files.icon, {"name": "favicon.ico"}, name="favicon"),
    path("apple-touch-icon.png", site_files.icon, {"name": "apple-touch-icon.png"}, name="apple-touch-icon"),
]
