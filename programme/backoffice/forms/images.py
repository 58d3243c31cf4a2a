"""Uploaded images as they are stored: upright, no larger than a screen shows, in sRGB, and without metadata.

A phone writes into a photo where it was taken, which may be somebody's home; a file that is an image to one
program may be a page or an archive to another. So an image is encoded again from its pixels.
"""

import io
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageCms, ImageOps, ImageSequence

# The longer side, in pixels.
LONGEST_SIDE = 2400
THUMBNAIL_SIDE = 480
# Decoded, all frames of an animation are in memory together.
MOST_ANIMATED_PIXELS = 50_000_000
QUALITY = 90
ANIMATED = {"GIF", "PNG", "WEBP", "AVIF"}
# Photos of several views, as some phones take them, are JPEG to other software.
STORED_AS = {"MPO": "JPEG"}
# The only metadata that is stored: what is transparent.
STORED_INFO = ("transparency",)
SRGB = ImageCms.createProfile("sRGB")
# What colours are mixed in, of images that cannot be taken to sRGB as they are.
_CONVERTED = {"P": "RGB", "PA": "RGBA", "1": "L", "La": "RGBA", "LA": "RGBA", "RGBa": "RGBA"}
# Colours that cannot be mixed when an image is made smaller.
_UNMIXABLE = {"1", "P", "PA"}


class AnimationTooLongError(ValueError):
    """The frames of an animation have more pixels than fit into the server's memory."""


def normalize_image(file: Any) -> bytes:
    """Return an image file as it is stored. Raises OSError, ValueError or SyntaxError if it is damaged."""
    file.seek(0)
    with Image.open(file) as image:
        kind = STORED_AS.get(image.format or "", image.format or "")
        count = getattr(image, "n_frames", 1) if kind in ANIMATED else 1
        if count > 1 and image.width * image.height * count > MOST_ANIMATED_PIXELS:
            raise AnimationTooLongError
        if count > 1:
            return _encode_animation(image, kind)
        return _encode(_strip(image), kind, **_options(kind))


def make_thumbnail(content: bytes) -> bytes:
    """Return a small WebP of an image file. Raises as `normalize_image` does."""
    with Image.open(io.BytesIO(content)) as image:
        # A photo is decoded no larger than that.
        image.draft("RGB", (THUMBNAIL_SIDE, THUMBNAIL_SIDE))
        small = ImageOps.exif_transpose(image).convert("RGBA" if image.has_transparency_data else "RGB")
        small.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
        small.info = {}
        return _encode(small, "WEBP", quality=80)


def _encode_animation(image: Image.Image, kind: str) -> bytes:
    loop = image.info.get("loop")
    durations: list[int] = []
    first, *others = _read_frames(image, durations)
    timing: dict[str, Any] = {"save_all": True, "append_images": others, "duration": durations}
    if loop is not None:
        timing["loop"] = loop
    if kind == "GIF":
        # Each frame is complete: where it is transparent, the one before must not shine through.
        timing["disposal"] = 2
    return _encode(first, kind, **_options(kind), **timing)


def _read_frames(image: Image.Image, durations: list[int]) -> Iterator[Image.Image]:
    for frame in ImageSequence.Iterator(image):
        frame.load()
        durations.append(int(frame.info.get("duration", 0)))
        yield _strip(frame)


def _strip(image: Image.Image) -> Image.Image:
    """Return an image upright and not too large, with its pixels and colours only."""
    upright = _to_srgb(ImageOps.exif_transpose(image))
    if max(upright.size) > LONGEST_SIDE and upright.mode in _UNMIXABLE:
        upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    upright.info = {key: value for key, value in upright.info.items() if key in STORED_INFO}
    return upright


def _to_srgb(image: Image.Image) -> Image.Image:
    """Return an image in the colours that all screens know, so that its profile need not be stored."""
    profile = image.info.get("icc_profile")
    if not profile:
        return image
    mode = "RGBA" if image.has_transparency_data else _CONVERTED.get(image.mode, image.mode)
    plain = image.convert(mode) if mode != image.mode else image
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(
            plain, own, SRGB, outputMode="RGBA" if mode == "RGBA" else "RGB"
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A profile that does not fit its image: browsers ignore it too.
        return image
    return converted or image


def _options(kind: str) -> dict[str, Any]:
    return {} if kind in {"GIF", "PNG"} else {"quality": QUALITY}


def _encode(image: Image.Image, kind: str, **options: Any) -> bytes:
    content = io.BytesIO()
    # Without `icc_profile`, some writers would take that of the image.
    image.save(content, kind, icc_profile=None, **options)
    return content.getvalue()
