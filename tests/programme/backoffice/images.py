"""Pictures that tests upload."""

import io
import struct
import zlib
from typing import Any

from PIL import Image


def photo(kind: str, size: tuple[int, int] = (40, 20), **options: Any) -> bytes:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def grey_ramp(width: int = 120, height: int = 80) -> bytes:
    """Return a PNG of 16 bits and one channel, from black to white, as scanners write it."""
    row = b"\0" + b"".join(struct.pack(">H", 65535 * x // (width - 1)) for x in range(width))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(row * height)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
