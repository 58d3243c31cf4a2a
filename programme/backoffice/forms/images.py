"""Uploaded images as they are stored: upright, no larger than a screen shows, in sRGB, and without metadata.

A phone writes into a photo where it was taken, which may be somebody's home; a file that is an image to one
program may be a page or an archive to another. So an image is encoded again from its pixels.
"""

import io
from secrets import token_hex
from typing import Any, NoReturn

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.validators import FileExtensionValidator
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageCms

from programme.models import pictures

LARGEST_FILE = 10 * 1024 * 1024
# The formats that every browser shows.
EXTENSIONS = {
    "JPEG": (".jpg", ".jpeg"),
    "PNG": (".png",),
    "GIF": (".gif",),
    "WEBP": (".webp",),
    "AVIF": (".avif",),
}
# The media type of a file that `SafeImageField` has named, by its extension.
IMAGE_TYPES = {
    extension: f"image/{kind.lower()}" for kind, extensions in EXTENSIONS.items() for extension in extensions
}
check_extension = FileExtensionValidator([extension[1:] for extension in IMAGE_TYPES])
QUALITY = 90
# Photos of several views, as some phones take them, are JPEG to other software.
STORED_AS = {"MPO": "JPEG"}
# The only metadata that is stored: what is transparent.
STORED_INFO = ("transparency",)
SRGB = ImageCms.createProfile("sRGB")
# What profiles other than those of RGB fit.
_PROFILED = {"L", "CMYK"}


def normalize_image(file: Any) -> bytes:
    """Return an image file as it is stored, of an animation its first frame.

    Raises OSError, ValueError or SyntaxError if it is damaged.
    """
    file.seek(0)
    with pictures.open_picture(file) as image:
        kind = STORED_AS.get(image.format or "", image.format or "")
        return _encode(_strip(image, kind), kind)


def _strip(image: Image.Image, kind: str) -> Image.Image:
    """Return an image, not too large, with its pixels and colours only."""
    image = _to_srgb(pictures.to_eight_bits(image))
    # A GIF has a palette, which colours cannot be mixed in when it is made smaller.
    if kind != "GIF" or max(image.size) > pictures.LONGEST_SIDE:
        image = pictures.to_rgb(image)
    image.thumbnail((pictures.LONGEST_SIDE, pictures.LONGEST_SIDE), Image.Resampling.LANCZOS)
    image.info = {key: value for key, value in image.info.items() if key in STORED_INFO}
    return image


def _to_srgb(image: Image.Image) -> Image.Image:
    """Return an image in the colours that all screens know, so that its profile need not be stored."""
    profile = image.info.get("icc_profile")
    if not profile:
        return image
    plain = image if image.mode in _PROFILED and not image.has_transparency_data else pictures.to_rgb(image)
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = "RGBA" if plain.mode == "RGBA" else "RGB"
        converted = ImageCms.profileToProfile(plain, own, SRGB, outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A profile that does not fit its image: browsers ignore it too.
        return image
    return converted or image


def _encode(image: Image.Image, kind: str) -> bytes:
    options = {} if kind in {"GIF", "PNG"} else {"quality": QUALITY}
    content = io.BytesIO()
    # Without `icc_profile`, some writers would take that of the image.
    image.save(content, kind, icc_profile=None, **options)
    return content.getvalue()


class SafeImageField(forms.ImageField):
    """An image for the web, refused unopened if it is too large for the server's memory.

    Its value is not the file that was sent but the picture in it.
    """

    default_error_messages = {
        "too_heavy": _("The image is larger than 10 MB. Save it in a smaller size."),
        "too_large": _(
            "The image has more than 40 million pixels. Save it in a smaller size, or as a JPEG that is not "
            "progressive."
        ),
        "format": _("Use a JPEG, PNG, GIF, WebP or AVIF image."),
        "heic": _(
            "HEIC photos cannot be used, because not all browsers show them. Export the photo as JPEG: "
            "on a Mac with Preview, in Windows with Photos. An iPhone takes JPEG photos with Settings, "
            "Camera, Formats, Most Compatible."
        ),
        "svg": _(
            "SVG drawings cannot be used. Save it as a PNG image, or use a JPEG, GIF, WebP or AVIF image."
        ),
    }

    def to_python(self, data: Any) -> Any:
        if data not in self.empty_values:
            if data.size > LARGEST_FILE:
                self._refuse("too_heavy")
            if kind := _find_unshown(data):
                self._refuse(kind)
            # Before the file is named after its format.
            check_extension(data)
        file: Any
        with pictures.one_at_a_time:
            file = super().to_python(data)
        if file is None:
            return None
        if STORED_AS.get(file.image.format, file.image.format) not in EXTENSIONS:
            self._refuse("format")
        return self._normalize(file)

    def _normalize(self, file: Any) -> SimpleUploadedFile:
        try:
            content = normalize_image(file)
        except pictures.TooManyPixelsError:
            self._refuse("too_large")
        except (OSError, ValueError, SyntaxError, EOFError):
            # Only the beginning of the file was an image.
            self._refuse("invalid_image")
        kind = STORED_AS.get(file.image.format, file.image.format)
        return SimpleUploadedFile(name_image(EXTENSIONS[kind][0]), content, Image.MIME[kind])

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:  # noqa: ARG002 - Django's hook
        return {"accept": ",".join(IMAGE_TYPES)}

    def _refuse(self, code: str) -> NoReturn:
        raise ValidationError(self.error_messages[code], code=code)


def name_image(extension: str) -> str:
    """Return a name that nobody guesses: the address of a draft's image is no secret otherwise."""
    return f"{token_hex(16)}{extension}"


def _find_unshown(file: Any) -> str:
    """Return which kind of picture it is that not every browser shows, by its name or its content."""
    name, begins = file.name.lower(), file.read(1024)
    file.seek(0)
    if name.endswith((".svg", ".svgz")) or b"<svg" in begins.lower():
        return "svg"
    # AVIF is the same container with another brand.
    is_heic = name.endswith((".heic", ".heif", ".hif")) or begins[4:11] in {b"ftyphei", b"ftyphev"}
    return "heic" if is_heic else ""
