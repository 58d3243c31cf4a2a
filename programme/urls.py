"""The addresses of the API. A trailing slash gives the same answer (decisions, "Paths")."""

from django.urls import URLPattern, re_path

from programme.api import views


def endpoint(path: str, view: type[views.ProgrammeView], name: str) -> URLPattern:
    """Return the addresses of an endpoint, with an extension and without."""
    return re_path(rf"^{path}(?:\.(?P<format>[^/]+))?/?$", view.as_view(), name=name)


urlpatterns = [
    endpoint("schema", views.SchemaView, "schema"),
    endpoint("areas", views.AreaView, "areas"),
    endpoint("events", views.EventView, "events"),
    endpoint("changes", views.ChangesView, "changes"),
    endpoint("news", views.NewsView, "news"),
    endpoint("programme", views.ProgrammeDocumentView, "programme"),
    endpoint("lists", views.ListView, "lists"),
    # No more digits than an ID of the database has.
    endpoint("occations/(?P<occasion_id>[0-9]{1,18})", views.OccasionView, "occasion"),
    endpoint("lists/(?P<list_id>[0-9]{1,18})/events", views.ListedView, "listed"),
]
