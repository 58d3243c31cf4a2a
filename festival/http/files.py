"""Static files, and uploaded ones, sent so that nothing in a file can run in a browser."""

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

# What the back office stores; anything else in the folder is sent as a file to save.
MEDIA_TYPES = {f".{each}": f"image/{each}" for each in ("jpeg", "png", "gif", "webp", "avif")}
MEDIA_TYPES[".jpg"] = "image/jpeg"


@require_safe
def serve_upload(request: HttpRequest, path: str) -> HttpResponseBase:
    """Answer with a file below MEDIA_ROOT; 404 for every path that leads nowhere or out of it."""
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
    """Uploaded files, in folders whose files all belong to the group of MEDIA_ROOT.

    Django would use `chmod`, which takes the inherited group from a user who is not in it.
    """

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        make_folder(Path(self.path(name or content.name)).parent)
        return super().save(name, content, max_length)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Static files under hashed names, including the modules that a script imports."""

    support_js_module_import_aggregation = True
    manifest_name = settings.STATIC_MANIFEST
