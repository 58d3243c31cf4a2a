"""The addresses of the API. A trailing slash gives the same answer (decisions, "Paths")."""

from django.urls import re_path

from programme import views

urlpatterns = [
    re_path(r"^areas(?:\.(?P<format>[^/]+))?/?$", views.areas, name="areas"),
    re_path(r"^events(?:\.(?P<format>[^/]+))?/?$", views.events, name="events"),
]
