"""The addresses of the service."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path

from festival.http import errors, media
from festival.monitoring.page import show_health
from pages import views as pages
from programme.backoffice.urls import build_urls

back_office = [
    path("admin/password/", include("festival.accounts.passwords")),
    path("admin/health/", admin.site.admin_view(show_health), name="health"),
    path("admin/", include("festival.accounts.urls")),
    path("admin/", build_urls(pages.write_occasion_page)),
]
# A process that serves readers forwards them ahead of Django (server/forwarding.py), and has links only.
link = path("admin/", include(([path("", errors.not_forwarded, name="index")], "admin")))

urlpatterns = [
    *([link] if settings.BACK_OFFICE_SOCKET else back_office),
    path("api/", include("programme.urls")),
    path("api/docs", pages.api, name="api"),
    re_path(r"^(?P<path>api/docs)/$", pages.without_slash),
    re_path(r"^api(?:/(?P<path>.*))?$", errors.no_endpoint),
    re_path(r"^media/(?P<path>.*)$", media.serve_upload),
    path("", include("pages.starred.urls")),
    path("", include("pages.urls")),
    re_path(r"^(?P<path>.+)/$", pages.without_slash),
]

handler400 = "festival.http.errors.bad_request"
handler403 = "festival.http.errors.permission_denied"
handler404 = "festival.http.errors.not_found"
# django-allauth's.
handler429 = "festival.accounts.views.too_many_requests"
handler500 = "festival.http.errors.server_error"
