"""The addresses of the pages: Swedish at /, English at /en/."""

from django.urls import path

from pages import machines, taking, views

urlpatterns = [
    path("", views.programme, {"language": "sv"}, name="programme-sv"),
    path("en/", views.programme, {"language": "en"}, name="programme-en"),
    path("tillfalle/<int:occasion_id>", views.occasion, {"language": "sv"}, name="occasion-sv"),
    path("en/occasion/<int:occasion_id>", views.occasion, {"language": "en"}, name="occasion-en"),
    path("prenumerera", taking.subscribe, {"language": "sv"}, name="subscribe-sv"),
    path("en/subscribe", taking.subscribe, {"language": "en"}, name="subscribe-en"),
    path("mitt-program", taking.mine, {"language": "sv"}, name="mine-sv"),
    path("en/my-programme", taking.mine, {"language": "en"}, name="mine-en"),
    path("lista", taking.framed, {"language": "sv"}, name="framed-sv"),
    path("en/list", taking.framed, {"language": "en"}, name="framed-en"),
    path("lista.css", taking.list_style, name="list-style"),
    path("utan-nat", taking.offline, {"language": "sv"}, name="offline-sv"),
    path("en/offline", taking.offline, {"language": "en"}, name="offline-en"),
    path("sw.js", taking.worker, name="worker"),
    path("ns/programme", views.namespace, name="namespace"),
    path("sitemap.xml", machines.sitemap_index, name="sitemap"),
    path("sitemap-<int:part>.xml", machines.sitemap_part, name="sitemap-part"),
    path("robots.txt", machines.robots, name="robots"),
    path("manifest.webmanifest", machines.manifest, {"language": "sv"}, name="manifest-sv"),
    path("en/manifest.webmanifest", machines.manifest, {"language": "en"}, name="manifest-en"),
    path(
        "favicon.ico",
        machines.icon,
        {"name": "favicon.ico", "content_type": "image/x-icon"},
        name="favicon",
    ),
    path(
        "apple-touch-icon.png",
        machines.icon,
        {"name": "apple-touch-icon.png", "content_type": "image/png"},
        name="apple-touch-icon",
    ),
]
