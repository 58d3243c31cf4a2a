"""Files generated from the festival's icon and picture."""

from io import BytesIO
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageOps

from programme.models.pictures import SIZES, open_picture, to_rgb

# The sides in pixels by use: in a browser's tab, on a phone's home screen, for an installed app.
ICON_SIZES = {"tab": 48, "touch": 180, "app": 192, "splash": 512}
# The longer side, by the field.
LARGEST = {"hero": 1600, "map": 2400}


def make_icons(name: str) -> None:
    """Generate the missing sizes of an uploaded icon: square, transparent parts on white."""
    with default_storage.open(name) as file, open_picture(file) as image:
        upright = to_rgb(image).convert("RGBA")
    for size in ICON_SIZES.values():
        ground, content = Image.new("RGB", (size, size), "white"), BytesIO()
        fitted = ImageOps.pad(upright, (size, size), Image.Resampling.LANCZOS, "#0000")
        ground.paste(fitted, mask=fitted)
        ground.save(content, "PNG", optimize=True)
        if not default_storage.exists(target := f"{SIZES}/{name}/{size}.png"):
            default_storage.save(target, ContentFile(content.getvalue()))


def encode(file: Any, side: int) -> Any:
    """Return an uploaded picture as WebP, its longer side at most `side` pixels."""
    file.seek(0)
    content = BytesIO()
    with open_picture(file) as image:
        small = to_rgb(image)
        small.thumbnail((side, side), Image.Resampling.LANCZOS)
        small.save(content, "WEBP", quality=80, method=6)
    return ContentFile(content.getvalue(), f"{PurePath(file.name).stem}.webp")
