"""Decodes text files of unknown encoding."""

_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode_text(content: bytes) -> str:
    """Return a file's text: UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252."""
    if content.startswith(_UTF_16_MARKS):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
