"""Where the back office imports and exports."""

from functools import partial
from typing import Any

from django.urls import URLPattern, URLResolver, path


class ImportPages:
    """A site that has the pages of importing and exporting."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from programme.admin import exporting, import_columns, importing  # noqa: PLC0415 - needs the models

        def ours(view: Any) -> Any:
            return self.admin_view(partial(view, site=self))

        return [
            path("import/", ours(importing.upload), name="import"),
            path("import/done/", ours(importing.done), name="import_done"),
            path("import/<int:pk>/", ours(importing.show), name="import_file"),
            path("import/<int:pk>/read/", ours(importing.read), name="import_read"),
            path("import/<int:pk>/columns/", ours(import_columns.columns), name="import_columns"),
            path("import/<int:pk>/apply/", ours(importing.apply_file), name="import_apply"),
            path("export/<str:kind>/", ours(exporting.programme), name="export_programme"),
            *super().get_urls(),
        ]
