"""Static and uploaded files; the latter are sent so that browsers do not execute them."""

from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import FileSystemStorage
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve
from whitenoise.storage import CompressedManifestStaticFilesStorage

from festival.configuration.data_files import make_folder

# The types of uploaded images; other files are sent as downloads.
MEDIA_TYPES = {f".{each}": f"image/{each}" for each in ("jpeg", "png", "gif", "webp", "avif")}
MEDIA_TYPES[".jpg"] = "image/jpeg"


@require_safe
def serve_upload(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return a file below MEDIA_ROOT; 404 for any other path."""
    try:
        response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except (SuspiciousFileOperation, OSError, ValueError):
        # `..`, a name longer than the file system allows, a null byte.
        raise Http404 from None
    media_type = MEDIA_TYPES.get(PurePosixPath(path).suffix.lower())
    if "Content-Type" in response:
        response["Content-Type"] = media_type or "application/octet-stream"
    if media_type is None:
        response["Content-Disposition"] = "attachment"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


class MediaStorage(FileSystemStorage):
    """Uploaded files, in folders with the group of MEDIA_ROOT.

    Django would use `chmod`, which removes an inherited group if the user is not in it.
    """

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        make_folder(Path(self.path(name or content.name)).parent)
        return super().save(name, content, max_length)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Static files under hashed names, including the modules that a script imports."""

    support_js_module_import_aggregation = True
    manifest_name = settings.STATIC_MANIFEST
