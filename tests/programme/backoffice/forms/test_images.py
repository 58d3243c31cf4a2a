"""Uploaded images: the upright picture is stored, without its place and time."""

import io
import re
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override
from PIL import Image, ImageCms, PngImagePlugin

from programme.backoffice.forms.images import SafeImageField
from programme.models.pictures import one_at_a_time, open_picture
from tests.programme.backoffice.images import grey_ramp, photo

ROOT, ROOMS = Path(__file__).parents[4], ("feeds", "festival", "pages", "programme")
KINDS = ["JPEG", "PNG", "GIF", "WEBP", "AVIF"]
WITH_EXIF = ["JPEG", "PNG", "WEBP", "AVIF"]
GPS, ORIENTATION, TURNED = 0x8825, 0x0112, 6
SECRET = b"Storgatan 1"
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def phone_exif() -> Image.Exif:
    """Return what a telephone writes: the photo lies on its side, and where and by whom it was taken."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[0x013B] = TURNED, SECRET.decode()
    exif[GPS] = {1: "N", 2: (57.0, 42.0, 0.0), 3: "E", 4: (11.0, 58.0, 0.0)}
    return exif


def clean_image(name: str, content: bytes) -> bytes:
    return SafeImageField().clean(SimpleUploadedFile(name, content)).read()


def open_image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def is_near(pixel: Any, color: tuple[int, int, int]) -> bool:
    return all(abs(one - other) < 40 for one, other in zip(pixel[:3], color, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_picture_comes_through_in_its_format(kind):
    image = open_image(clean_image(f"bild.{kind.lower()}", photo(kind)))
    assert (image.format, image.size) == (kind, (40, 20))
    assert is_near(image.convert("RGB").getpixel((5, 10)), (255, 0, 0))
    assert is_near(image.convert("RGB").getpixel((35, 10)), (0, 0, 255))
    # It is made no larger than needed.
    assert open_image(clean_image(f"bild.{kind.lower()}", photo(kind, (3000, 300)))).size == (2400, 240)


@pytest.mark.parametrize("kind", WITH_EXIF)
def test_photo_is_turned_upright_and_says_nothing_of_where_it_was_taken(kind):
    content = clean_image(f"bild.{kind.lower()}", photo(kind, exif=phone_exif(), icc_profile=SRGB))
    image = open_image(content)
    assert dict(image.getexif()) == {}
    assert dict(image.getexif().get_ifd(GPS)) == {}
    assert SECRET not in content
    assert image.size == (20, 40)
    assert is_near(image.convert("RGB").getpixel((10, 5)), (255, 0, 0))
    assert "icc_profile" not in image.info


def test_photo_of_several_views_becomes_its_first():
    views = photo("MPO", save_all=True, append_images=[Image.new("RGB", (40, 20))])
    assert open_image(views).format == "MPO"
    image = open_image(clean_image("bild.jpg", views))
    assert (image.format, image.size) == ("JPEG", (40, 20))


def grey_jpeg(width: int, height: int, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("L", (width, height), 90).save(file, "JPEG", **options)
    return file.getvalue()


def test_a_jpeg_of_any_size_is_opened_reduced():
    assert open_image(clean_image("bild.jpg", grey_jpeg(12_000, 9_000))).size == (2400, 1800)
    with open_picture(io.BytesIO(grey_jpeg(12_000, 9_000))) as image:
        assert image.size == (3000, 2250)
    with open_picture(io.BytesIO(grey_jpeg(2401, 9))) as image:
        assert image.size == (2401, 9)


def test_a_progressive_one_is_not_because_it_is_decoded_as_a_whole():
    with open_picture(io.BytesIO(grey_jpeg(4_800, 9, progressive=True))) as image:
        assert image.size == (4800, 9)
    assert find_refusals("bild.jpg", grey_jpeg(6325, 6325, progressive=True)) == [TOO_LARGE]


def test_one_picture_is_open_at_a_time():
    with ThreadPoolExecutor(1) as pool:
        with open_picture(io.BytesIO(photo("PNG"))):
            assert not pool.submit(one_at_a_time.acquire, blocking=False).result()
        assert pool.submit(one_at_a_time.acquire, blocking=False).result()
        pool.submit(one_at_a_time.release).result()


def test_pillow_opens_pictures_in_one_place_alone():
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    opening = [path.relative_to(ROOT).as_posix() for path in modules if "Image.open(" in path.read_text()]
    assert opening == ["programme/models/pictures.py"]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "AVIF"])
def test_an_animation_becomes_its_first_frame(kind):
    frames = [Image.new("RGB", (30, 30), (85 * index, 0, 0)) for index in range(3)]
    file = io.BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=120, loop=0)
    image = open_image(clean_image(f"bild.{kind.lower()}", file.getvalue()))
    assert (image.format, getattr(image, "n_frames", 1)) == (kind, 1)
    assert is_near(image.convert("RGB").getpixel((1, 1)), (0, 0, 0))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_colour_is_made_smaller(mode):
    file = io.BytesIO()
    Image.new("RGB", (2600, 26)).convert("L" if mode == "I;16" else mode).convert(mode).save(file, "PNG")
    assert open_image(clean_image("bild.png", file.getvalue())).size == (2400, 24)


def test_transparent_palette_stays_transparent():
    image = Image.new("P", (2600, 26), 1)
    image.putpalette([0, 0, 0, 255, 0, 0])
    file = io.BytesIO()
    image.save(file, "PNG", transparency=1)
    assert open_image(clean_image("bild.png", file.getvalue())).convert("RGBA").getpixel((9, 9))[3] == 0


@pytest.mark.parametrize(
    ("mode", "kind", "stored"),
    [
        *((mode, "PNG", "RGB") for mode in ("1", "L", "P", "RGB")),
        *((mode, "PNG", "RGBA") for mode in ("LA", "RGBA")),
        ("CMYK", "JPEG", "RGB"),
    ],
)
@pytest.mark.parametrize("profile", [None, SRGB, b"no profile", b"\0" * 200])
def test_colours_are_stored_as_they_are_shown_and_without_a_profile(mode, kind, stored, profile):
    file, picture = io.BytesIO(), open_image(photo("PNG"))
    (picture.convert("L") if mode == "LA" else picture).convert(mode).save(file, kind, icc_profile=profile)
    image = open_image(clean_image(f"bild.{kind.lower()}", file.getvalue()))
    assert (image.mode, "icc_profile" in image.info) == (stored, False)
    before, after = (each.convert("RGB").getpixel((5, 10)) for each in (open_image(file.getvalue()), image))
    assert is_near(after, before)


def test_grey_of_16_bits_keeps_its_shades():
    image = open_image(clean_image("skannad.png", grey_ramp()))
    assert (image.mode, image.size) == ("RGB", (120, 80))
    shades = [image.getpixel((x, 40)) for x in range(120)]
    assert shades == [(round(65535 * x // 119 / 257),) * 3 for x in range(120)]


def test_transparent_shade_of_16_bits_is_the_only_one():
    ramp, place = grey_ramp(), grey_ramp().index(b"IDAT") - 4
    data = b"tRNS" + (65535 * 60 // 119).to_bytes(2, "big")
    chunk = (2).to_bytes(4, "big") + data + zlib.crc32(data).to_bytes(4, "big")
    image = open_image(clean_image("skannad.png", ramp[:place] + chunk + ramp[place:]))
    assert [x for x in range(120) if image.getpixel((x, 40))[3] == 0] == [60]


def find_refusals(name: str, content: bytes) -> list[str]:
    with override("en"), pytest.raises(ValidationError) as refusal:
        SafeImageField().clean(SimpleUploadedFile(name, content))
    with override("en"):
        return refusal.value.messages


@pytest.mark.parametrize(("model", "field"), [("event", "image"), ("festival", "logo")])
def test_every_image_that_is_uploaded_goes_through_it(office, model, field):
    form = office.get(f"/admin/programme/{model}/add/").context["adminform"].form
    assert isinstance(form.fields[field], SafeImageField)


SCRIPT = b"<script>alert(document.domain)</script>"
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">' + SCRIPT + b"</x:xmpmeta>"


def _zip_of_a_script() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("evil.js", SCRIPT)
    return file.getvalue()


def _png_with_text() -> bytes:
    texts = PngImagePlugin.PngInfo()
    texts.add_itxt("XML:com.adobe.xmp", XMP.decode())
    return photo("PNG", pnginfo=texts)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bild.gif", photo("GIF") + SCRIPT),
        *((f"bild.{kind}", photo(kind, comment=SCRIPT)) for kind in ("JPEG", "GIF")),
        *((f"bild.{kind}", photo(kind, xmp=XMP)) for kind in ("JPEG", "WEBP", "AVIF")),
        ("bild.png", _png_with_text()),
        ("bild.jpg", photo("JPEG") + _zip_of_a_script()),
        ("bild.png", photo("PNG") + b"<?php system($_GET[0]); ?>" + SCRIPT),
        ("bild.webp", photo("WEBP") + SCRIPT),
        *((f"bild.{kind}", photo(kind, icc_profile=SRGB + SCRIPT)) for kind in WITH_EXIF),
    ],
)
def test_what_else_a_file_is_does_not_survive(name, content):
    stored = clean_image(name, content)
    assert b"alert(" not in stored
    assert b"evil.js" not in stored
    assert b"<?php" not in stored
    assert open_image(stored).size == (40, 20)


@pytest.mark.parametrize(
    ("name", "kind", "extension"),
    [
        ("hemlig.png", "PNG", "png"),
        ("hemlig.jpeg", "JPEG", "jpg"),
        ("hemlig.html.jpg", "PNG", "png"),
        ("../../hemlig.webp", "PNG", "png"),
    ],
)
def test_a_file_is_named_after_what_it_is_and_nobody_guesses_its_name(name, kind, extension):
    names = {SafeImageField().clean(SimpleUploadedFile(name, photo(kind))).name for _ in range(2)}
    assert len(names) == 2
    assert all(re.fullmatch(rf"[0-9a-f]{{32}}\.{extension}", each) for each in names)


NO_IMAGE = "Upload a valid image. The file you uploaded was either not an image or a corrupted image."
DRAWING = "SVG drawings cannot be used. Save it as a PNG image, or use a JPEG, GIF, WebP or AVIF image."
HEIC = (
    "HEIC photos cannot be used, because not all browsers show them. Export the photo as JPEG: on a Mac with "
    "Preview, in Windows with Photos. An iPhone takes JPEG photos with Settings, Camera, Formats, Most Compatible."
)
FORMAT = "Use a JPEG, PNG, GIF, WebP or AVIF image."
TOO_LARGE = "The image has more than 40 million pixels. Save it in a smaller size, or as a JPEG that is not progressive."
TOO_HEAVY = "The image is larger than 10 MB. Save it in a smaller size."


def _png_that_claims(width: int, height: int) -> bytes:
    """Return a small PNG whose header claims a size: what unpacks to far more than it is."""
    whole = photo("PNG")
    header = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + whole[24:29]
    return whole[:12] + header + zlib.crc32(header).to_bytes(4, "big") + whole[33:]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("bild.jpg", photo("JPEG", (400, 400))[:-1500], NO_IMAGE),
        ("bild.png", photo("PNG")[:30], NO_IMAGE),
        ("bild.png", b"\x89PNG\r\n\x1a\n" + SCRIPT, NO_IMAGE),
        ("bild.gif", b"GIF89a" + SCRIPT, NO_IMAGE),
        ("bild.webp", b"RIFF\x10\0\0\0WEBPVP8 " + SCRIPT, NO_IMAGE),
        ("bild.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(id) (w) file", FORMAT),
        ("bild.png", b"BM" + bytes(60), NO_IMAGE),
        ("bild.png", b"II*\0" + bytes(60), NO_IMAGE),
        ("bild.png", b"", "The submitted file is empty."),
        ("bild.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", DRAWING),
        ("bild.png", b"<?xml version='1.0'?>\n<SVG xmlns='http://www.w3.org/2000/svg'/>", DRAWING),
        ("bild.SVG", photo("PNG"), DRAWING),
        ("bild.svgz", b"\x1f\x8b", DRAWING),
        ("bild.png", photo("BMP"), FORMAT),
        ("IMG_0042.HEIC", photo("PNG"), HEIC),
        *(
            ("IMG_0042.jpg", b"\0\0\0\x24ftyp%s\0\0\0\0" % brand, HEIC)
            for brand in (b"heic", b"heix", b"hevc")
        ),
        *(
            ("bild.png", _png_that_claims(*size), TOO_LARGE)
            for size in [(6325, 6325), (9500, 9500), (20_000, 20_000), (2**31 - 1, 2**31 - 1)]
        ),
        ("bild.jpg", b"x" * (10 * 1024 * 1024 + 1), TOO_HEAVY),
    ],
)
def test_what_is_no_image_or_too_large_is_refused_unopened(name, content, why):
    assert find_refusals(name, content) == [why]


@pytest.mark.parametrize(
    "name", ["bild.html", "bild.php", "bild.png.exe", "bild", ".htaccess", "b.jpg\0.html"]
)
def test_a_name_of_another_kind_is_refused(name):
    [refusal] = find_refusals(name, photo("PNG"))
    assert refusal.endswith("Allowed extensions are: jpg, jpeg, png, gif, webp, avif.") or "Null" in refusal
