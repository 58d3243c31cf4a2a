"""Storage of static files under hashed names, including the modules that a script imports."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    support_js_module_import_aggregation = True
