"""The app: says how an occasion's page is written to whoever shows it before it is published."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "pages"

    def ready(self) -> None:
        from pages.views import occasion_page  # noqa: PLC0415 - needs the models to be loaded
        from programme.publishing.preview import PageWriterRegistry  # noqa: PLC0415

        PageWriterRegistry.write_page = staticmethod(occasion_page)
