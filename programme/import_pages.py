"""Where the back office imports."""

from functools import partial
from typing import Any

from django.urls import URLPattern, URLResolver, path


class ImportPages:
    """A site that has the pages of importing."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from programme.admin import import_area, import_columns, import_saved, importing  # noqa: PLC0415 - needs the models

        def ours(view: Any) -> Any:
            return self.admin_view(partial(view, site=self))

        return [
            path("import/", ours(importing.upload), name="import"),
            path("import/done/", ours(importing.done), name="import_done"),
            path("import/saved/", ours(import_saved.saved), name="import_saved"),
            path("import/<int:pk>/", ours(importing.show), name="import_file"),
            path("import/<int:pk>/read/", ours(importing.read), name="import_read"),
            path("import/<int:pk>/columns/", ours(import_columns.columns), name="import_columns"),
            path("import/<int:pk>/area/", ours(import_area.area), name="import_area"),
            path("import/<int:pk>/apply/", ours(importing.apply_file), name="import_apply"),
            *super().get_urls(),
        ]
