"""Keeps uploaded images in several sizes, named after the originals, and deletes what nobody names.

The sizes can always be made again: what fails here stops no edit, and readers get the original.
"""

import io
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from shutil import rmtree
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db.models import FileField, Model, QuerySet, Value
from django.http import HttpRequest
from PIL import Image

from feeds.vocabulary import IMAGE_MIDDLE
from programme.backoffice.features import Feature
from programme.models import Event, Festival, Picture, models_with_history
from programme.models.image_sizes import SHARED, find_cut, find_shared, list_cut, list_whole
from programme.models.pictures import SIZES, open_picture, to_rgb
from programme.models.querysets import split

logger = logging.getLogger(__name__)

QUALITY = 80
# An image is stored a moment before the row that names it; and a preview's has no row.
IMAGE_AGE = timedelta(days=1)
# How many images' sizes become known at once: each time, processes read them.
BATCH = 50


class Pictures(Feature):
    """Makes the sizes of an event's image, and those of another focal point, when it is saved."""

    def after_save(self, request: HttpRequest, row: Any) -> None:  # noqa: ARG002 - a feature's
        keep_sizes(Event.objects.filter(pk=row.pk))


# The columns of an image's name and its focal point.
OF_EVENT: tuple[Any, ...] = ("image", "image_focus_x", "image_focus_y")
OF_MAP = ("map", *map(Value, IMAGE_MIDDLE))


def keep_sizes(rows: QuerySet[Any], columns: tuple[Any, ...] = OF_EVENT) -> None:
    """Make what is missing of the sizes of rows' images, and let readers know."""
    for missing in split(_find_missing(rows, columns), BATCH):
        made = filter(None, map(_make, missing))
        Picture.objects.bulk_create(made, ignore_conflicts=True)


# An image's name and focal point.
Cut = tuple[str, int, int]


def _find_missing(rows: QuerySet[Any], columns: tuple[Any, ...]) -> list[Cut]:
    """Return the images, with the focal points, that have no sizes."""
    image = columns[0]
    wanted = dict.fromkeys(rows.exclude(**{image: ""}).order_by().values_list(*columns))
    named = Picture.objects.filter(name__in=rows.order_by().values(image))
    known = set(named.values_list("name", "focus_x", "focus_y"))
    return [each for each in wanted if each not in known]


def _make(cut: Cut) -> Picture | None:
    """Write the sizes of an image; None if it cannot be read, or they cannot be written."""
    name, *focus = cut
    try:
        with default_storage.open(name) as file, open_picture(file) as image:
            picture = Picture(name=name, focus_x=focus[0], focus_y=focus[1])
            _write_sizes(image, picture)
            return picture
    except (OSError, ValueError, SyntaxError) as error:
        logger.warning("%s has no other sizes: %s", name, error)
        return None


def _write_sizes(image: Image.Image, picture: Picture) -> None:
    upright = to_rgb(image)
    picture.width, picture.height = shape = upright.size
    focus = picture.focus_x, picture.focus_y
    whole = [(each, upright) for each in list_whole(*shape)]
    kept = upright.crop(find_cut(*shape, focus))
    for size, source in [*whole, *((each, kept) for each in list_cut(*shape, focus))]:
        smaller = source.resize(size[1:], Image.Resampling.LANCZOS, reducing_gap=3)
        _write(f"{SIZES}/{picture.name}/{size.name}", smaller)
    shared = find_shared(*shape, focus)
    box = find_cut(*shape, focus, SHARED[0] / SHARED[1])
    cut = upright.resize(shared[1:], Image.Resampling.LANCZOS, box, reducing_gap=3)
    ground = Image.new("RGB", cut.size, "white")
    ground.paste(cut, mask=cut if cut.mode == "RGBA" else None)
    _write(f"{SIZES}/{picture.name}/{shared.name}", ground, "JPEG")


def _write(name: str, image: Image.Image, kind: str = "WEBP") -> None:
    content = io.BytesIO()
    image.save(content, kind, quality=QUALITY)
    # A size of before, or half of one.
    default_storage.delete(name)
    default_storage.save(name, ContentFile(content.getvalue()))


# --- Once a day -----------------------------------------------------------------------------------


def sweep_images(instant: datetime) -> int:
    """Delete images that no row names, nor any version of a row, which may be restored; and what was of them.

    Of those that were uploaded before there were sizes, make them.
    """
    root, before = Path(settings.MEDIA_ROOT), (instant - IMAGE_AGE).timestamp()
    fields = [
        (model, field)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, FileField)
    ]
    # Before the names: what is stored meanwhile is not among them.
    stored = [
        path
        for folder in {str(field.upload_to) for _model, field in fields}
        for path in (root / folder).glob("*")
        if path.is_file() and path.lstat().st_mtime < before
    ]
    named = {name for model, field in fields for name in _find_names(model, field.name)}
    orphans = [path for path in stored if path.relative_to(root).as_posix() not in named]
    for path in orphans:
        path.unlink(missing_ok=True)
    _sweep_sizes(root)
    return len(orphans)


def _find_names(model: type[Model], field: str) -> Iterator[str]:
    """Yield the files that rows of a model name, and versions of its rows."""
    yield from QuerySet(model).values_list(field, flat=True)
    if model in models_with_history():
        versions = model.history.model  # type: ignore[attr-defined]  # set by django-simple-history
        yield from versions.objects.values_list(field, flat=True).distinct()


def _sweep_sizes(root: Path) -> None:
    sizes = root / SIZES
    names = set(Picture.objects.values_list("name", flat=True))
    lost = {name for name in names if not ((root / name).is_file() and (sizes / name).is_dir())}
    # First: then no page offers what is deleted.
    Picture.objects.filter(name__in=lost).delete()
    for folder in sizes.glob("*/*"):
        if not (root / folder.relative_to(sizes)).is_file():
            rmtree(folder, ignore_errors=True)
    keep_sizes(Event.objects.all())
    keep_sizes(Festival.objects.all(), OF_MAP)
