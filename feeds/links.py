"""Addresses of websites and of mail in texts, as links; nothing else of a text becomes markup."""

import re
from xml.sax.saxutils import escape

# No address begins within another one or within a word.
_ADDRESS = re.compile(
    r"(?<![\w@/.-])(?:https?://|www\.)\w[^\s<>\"]*|(?<![\w@/.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)
# What ends a sentence or a quotation around an address, and brackets that began before it.
_TRAILING = ".,;:!?…'”’»*–—"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
# What addresses cannot have as it is (URL Living Standard, “URL code points”).
_FOREIGN = re.compile(r"[\\^`{|}\[\]]|%(?![0-9A-Fa-f]{2})|#(?=.*#)")


def link_addresses(text: str) -> str:
    """Return a text as HTML that reads the same; punctuation behind an address is not of it."""
    written: list[str] = []
    end = 0
    for found in _ADDRESS.finditer(text):
        address = _trim(found[0])
        written += (escape(text[end : found.start()]), _write_link(address))
        end = found.start() + len(address)
    return "".join((*written, escape(text[end:])))


def _trim(address: str) -> str:
    while address[-1] in _TRAILING or address.count(address[-1]) > address.count(
        _BRACKETS.get(address[-1], address[-1])
    ):
        address = address[:-1]
    return address


def _write_link(address: str) -> str:
    target = _FOREIGN.sub(lambda found: f"%{ord(found[0]):02X}", address)
    if "://" not in target:
        target = f"https://{target}" if target.lower().startswith("www.") else f"mailto:{target}"
    return f'<a href="{escape(target)}" rel="noopener">{escape(address)}</a>'
