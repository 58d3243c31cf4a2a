"""The addresses of the API. A trailing slash gives the same answer (decisions, "Paths")."""

from django.urls import re_path

from programme.api import views

urlpatterns = [
    re_path(r"^schema(?:\.(?P<format>[^/]+))?/?$", views.schema, name="schema"),
    re_path(r"^areas(?:\.(?P<format>[^/]+))?/?$", views.areas, name="areas"),
    re_path(r"^events(?:\.(?P<format>[^/]+))?/?$", views.events, name="events"),
    re_path(r"^changes(?:\.(?P<format>[^/]+))?/?$", views.changes, name="changes"),
    re_path(r"^news(?:\.(?P<format>[^/]+))?/?$", views.news, name="news"),
    re_path(r"^programme(?:\.(?P<format>[^/]+))?/?$", views.programme, name="programme"),
    re_path(r"^lists(?:\.(?P<format>[^/]+))?/?$", views.lists, name="lists"),
    # No more digits than an ID of the database has.
    re_path(
        r"^occations/(?P<occasion_id>[0-9]{1,18})(?:\.(?P<format>[^/]+))?/?$", views.occasion, name="occasion"
    ),
    re_path(
        r"^lists/(?P<list_id>[0-9]{1,18})/events(?:\.(?P<format>[^/]+))?/?$", views.listed, name="listed"
    ),
]
