"""The addresses of the service."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from festival.http import errors, files
from pages import views as pages
from pages.occasions import write_occasion_page
from programme.backoffice.admin.previews import build_urls

back_office: list[URLPattern | URLResolver] = [
    path("password/", include("festival.accounts.links")),
    path("organizer/", include("pages.organizers.urls")),
    path("", include("festival.accounts.urls")),
    path("", build_urls(write_occasion_page, pages.write_festival_page)),
]
urlpatterns = [
    path("admin/", include(back_office)),
    path("api/", include("programme.urls")),
    path("api/docs", pages.api, name="api"),
    re_path(r"^(?P<path>api/docs)/$", pages.without_slash),
    re_path(r"^api(?:/(?P<path>.*))?$", errors.no_endpoint),
    re_path(r"^media/(?P<path>.*)$", files.serve_upload),
    path("back-office-away", errors.back_office_away),
    path("", include("pages.starred.urls")),
    path("", include("pages.urls")),
    re_path(r"^(?P<path>.+)/$", pages.without_slash),
]

handler400 = "festival.http.errors.bad_request"
# Only the back office asks who somebody is.
handler403 = "programme.backoffice.errors.permission_denied"
handler404 = "festival.http.errors.not_found"
# django-allauth's.
handler429 = "festival.accounts.views.too_many_requests"
handler500 = "festival.http.errors.server_error"
