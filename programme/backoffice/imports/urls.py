"""Where the back office imports."""

from functools import partial
from typing import Any

from django.urls import URLPattern, URLResolver, path


class ImportPages:
    """A site that has the pages of importing."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from programme.backoffice.imports import area, columns, mappings, views  # noqa: PLC0415 - needs the models

        def ours(view: Any) -> Any:
            return self.admin_view(partial(view, site=self))

        return [
            path("import/", ours(views.upload), name="import"),
            path("import/done/", ours(views.done), name="import_done"),
            path("import/saved/", ours(mappings.saved), name="import_saved"),
            path("import/<int:pk>/", ours(views.show), name="import_file"),
            path("import/<int:pk>/read/", ours(views.read), name="import_read"),
            path("import/<int:pk>/columns/", ours(columns.columns), name="import_columns"),
            path("import/<int:pk>/area/", ours(area.area), name="import_area"),
            path("import/<int:pk>/apply/", ours(views.apply_file), name="import_apply"),
            *super().get_urls(),
        ]
