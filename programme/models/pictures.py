"""Uploaded images with files in several sizes; of other images, readers get the original."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from django.db import models
from PIL import Image, ImageOps

from programme.models.trigger_rules import TriggerRules

# The folder with a folder for each original.
SIZES = "sizes"
# In pixels: the longer side of stored images, and the size of the largest image that is decoded.
LONGEST_SIDE, MOST_PIXELS = 2400, 40_000_000
# Pillow would warn of photos that `open_picture` opens reduced.
Image.MAX_IMAGE_PIXELS = None
# Decoding takes hundreds of megabytes.
one_at_a_time = RLock()


class TooManyPixelsError(ValueError):
    """A picture is too large for the server's memory; it was not decoded."""


@contextmanager
def open_picture(file: Any) -> Iterator[Image.Image]:
    """Open an image file, upright, one at a time in a process; a JPEG is reduced while it is decoded."""
    with one_at_a_time, Image.open(file) as image:
        if image.format in {"JPEG", "MPO"}:
            # Progressive images, with several scans, are decoded as a whole anyway.
            scans = file.read().partition(b"\xff\xd9")[0]
            if b"\xff\xda" not in scans:
                scale = LONGEST_SIDE / max(image.size)
                image.draft(None, (max(1, int(image.width * scale)), max(1, int(image.height * scale))))
        if image.width * image.height > MOST_PIXELS:
            raise TooManyPixelsError
        ImageOps.exif_transpose(image, in_place=True)
        yield image


def to_rgb(image: Image.Image) -> Image.Image:
    """Return an image converted to RGB, or to RGBA if it may be transparent."""
    image = to_eight_bits(image)
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == mode else image.convert(mode)


def to_eight_bits(image: Image.Image) -> Image.Image:
    """Return a grey image of 16 bits scaled to 8; Pillow's own conversion clips everything but black."""
    if not image.mode.startswith("I"):
        return image
    transparent = image.info.pop("transparency", None)
    deep = image.convert("I")
    grey = deep.point([round(value / 257) for value in range(65536)], "L")
    if transparent is not None:
        grey.putalpha(deep.point([255 * (value != transparent) for value in range(65536)], "L"))
    return grey


class Picture(models.Model):
    """The sizes of an image, cropped around one focal point, identified by the original's name."""

    name = models.CharField(max_length=300)
    focus_x = models.PositiveSmallIntegerField()
    focus_y = models.PositiveSmallIntegerField()
    # Of the original, in pixels.
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()

    trigger_rules = TriggerRules()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "focus_x", "focus_y"], name="picture_is_unique")
        ]

    def __str__(self) -> str:
        return self.name
