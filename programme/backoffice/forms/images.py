"""Uploaded images as they are kept: upright, no larger than a screen shows, and without a word of metadata.

A telephone writes into a photo where it was taken, which may be somebody's home.
"""

import io
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageOps, ImageSequence

# The longer side, in pixels.
LONGEST_SIDE = 2400
# Decoded, all frames of an animation are in memory together.
MOST_ANIMATED_PIXELS = 50_000_000
QUALITY = 90
ANIMATED = {"GIF", "PNG", "WEBP", "AVIF"}
# Photos of several views, as some telephones take them, are JPEG to everyone else.
WRITTEN_AS = {"MPO": "JPEG"}
# All that is kept of what a file says about itself: how its colours are meant, and what is transparent.
KEPT = ("icc_profile", "transparency")
# Colours that cannot be mixed when an image is made smaller.
_UNMIXABLE = {"1", "P", "PA"}


class TooLongError(ValueError):
    """An animation has more pixels in all its frames than the server has room for."""


def normalize_image(file: Any) -> bytes:
    """Return an image file as it is kept; raises OSError, ValueError or SyntaxError if it cannot be read."""
    file.seek(0)
    with Image.open(file) as image:
        kind = WRITTEN_AS.get(image.format or "", image.format or "")
        count = getattr(image, "n_frames", 1) if kind in ANIMATED else 1
        if count > 1 and image.width * image.height * count > MOST_ANIMATED_PIXELS:
            raise TooLongError
        return _animation(image, kind) if count > 1 else _still(image, kind)


def _still(image: Image.Image, kind: str) -> bytes:
    return _written(_bare(image), kind, **_options(kind))


def _animation(image: Image.Image, kind: str) -> bytes:
    loop = image.info.get("loop")
    durations: list[int] = []
    first, *others = _frames(image, durations)
    timing: dict[str, Any] = {"save_all": True, "append_images": others, "duration": durations}
    if loop is not None:
        timing["loop"] = loop
    if kind == "GIF":
        # Each frame is drawn as a whole: where one is transparent, the one before must not shine through.
        timing["disposal"] = 2
    return _written(first, kind, **_options(kind), **timing)


def _frames(image: Image.Image, durations: list[int]) -> Iterator[Image.Image]:
    for frame in ImageSequence.Iterator(image):
        frame.load()
        durations.append(int(frame.info.get("duration", 0)))
        yield _bare(frame)


def _bare(image: Image.Image) -> Image.Image:
    """Return an image upright and not too large, with nothing but its pixels and colours."""
    upright = ImageOps.exif_transpose(image)
    if max(upright.size) > LONGEST_SIDE and upright.mode in _UNMIXABLE:
        upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    upright.info = {key: value for key, value in upright.info.items() if key in KEPT}
    return upright


def _options(kind: str) -> dict[str, Any]:
    return {} if kind in {"GIF", "PNG"} else {"quality": QUALITY}


def _written(image: Image.Image, kind: str, **options: Any) -> bytes:
    content = io.BytesIO()
    image.save(content, kind, icc_profile=image.info.get("icc_profile"), **options)
    return content.getvalue()
