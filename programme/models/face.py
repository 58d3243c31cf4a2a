"""Files that are made of the festival's own icon, and read for its pages."""

from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageOps

# Of the folder of uploads, which `festival sweep` keeps tidy; what is made lies in a folder of its own.
FOLDER = "festival/"
# The side in pixels, by use: in the browser's tab, on a phone's home screen, of an installed app.
ICON_SIZES = {"tab": 48, "touch": 180, "app": 192, "splash": 512}
HERO_WIDTH = 1600


def make_icons(name: str) -> None:
    """Make the sizes of an uploaded icon that are missing: square, on white where it is transparent."""
    with default_storage.open(name) as file, Image.open(file) as image:
        upright = ImageOps.exif_transpose(image).convert("RGBA")
    for size in ICON_SIZES.values():
        target = f"{FOLDER}icons/{PurePosixPath(name).stem}-{size}.png"
        if not default_storage.exists(target):
            default_storage.save(target, ContentFile(_draw_icon(upright, size)))


def _draw_icon(image: Image.Image, size: int) -> bytes:
    ground = Image.new("RGBA", (size, size), "white")
    fitted = ImageOps.contain(image, (size, size), Image.Resampling.LANCZOS)
    ground.alpha_composite(fitted, ((size - fitted.width) // 2, (size - fitted.height) // 2))
    content = BytesIO()
    ground.convert("RGB").save(content, "PNG", optimize=True)
    return content.getvalue()


def encode_hero(file: Any) -> bytes:
    """Return a picture as WebP, no wider than pages are."""
    file.seek(0)
    with Image.open(file) as image:
        small = image.convert("RGBA" if image.has_transparency_data else "RGB")
        small.thumbnail((HERO_WIDTH, HERO_WIDTH), Image.Resampling.LANCZOS)
        content = BytesIO()
        small.save(content, "WEBP", quality=80, method=6)
    return content.getvalue()


def read_upload(name: str) -> bytes:
    """Return a file of the festival's, nothing if there is none of that name."""
    path = f"{FOLDER}{name}"
    if not name or not default_storage.exists(path):
        return b""
    with default_storage.open(path) as file:
        return bytes(file.read())
