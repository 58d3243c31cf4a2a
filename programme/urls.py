"""The addresses of the API. A trailing slash gives the same answer (decisions, "Paths")."""

from rest_framework.routers import Route, SimpleRouter

from programme.api import views


class FormatRouter(SimpleRouter):
    """Routes paths with and without an extension, in place of DRF's `format_suffix_patterns`.

    `FormatNegotiation` raises Http404 for an unknown extension.
    """

    routes = [
        Route(r"^{prefix}{trailing_slash}$", {"get": "list"}, "{basename}", detail=False, initkwargs={}),
        Route(
            r"^{prefix}/{lookup}{trailing_slash}$",
            {"get": "retrieve"},
            "{basename}",
            detail=True,
            initkwargs={},
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.trailing_slash = r"(?:\.(?P<format>[^/]+))?/?"


router = FormatRouter()
router.register("schema", views.SchemaViewSet, "schema")
router.register("areas", views.AreaViewSet, "areas")
router.register("events", views.EventViewSet, "events")
router.register("changes", views.ChangesViewSet, "changes")
router.register("news", views.NewsViewSet, "news")
router.register("programme", views.ProgrammeDocumentViewSet, "programme")
router.register("lists", views.ListViewSet, "lists")
router.register("occations", views.OccasionViewSet, "occasion")
router.register(rf"lists/(?P<list_id>{views.ID})/events", views.ListEventViewSet, "listed")
urlpatterns = router.urls
