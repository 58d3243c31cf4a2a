"""The addresses of the back office, below /admin/: signing in, health, and what editors work with."""

from django.contrib import admin
from django.urls import include, path

from festival.monitoring.page import show_health
from pages import views as pages
from programme.backoffice.admin.previews import build_urls

urlpatterns = [
    path("password/", include("festival.accounts.passwords")),
    path("health/", admin.site.admin_view(show_health), name="health"),
    path("organizer/", include("pages.organizers.urls")),
    path("", include("festival.accounts.urls")),
    path("", build_urls(pages.write_occasion_page)),
]
