"""Pictures that tests upload."""

import io
from typing import Any

from PIL import Image


def photo(kind: str, size: tuple[int, int] = (40, 20), **options: Any) -> bytes:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()
