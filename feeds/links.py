"""Links from the web and mail addresses in a text; nothing else in it becomes markup."""

import re
from collections import Counter
from xml.sax.saxutils import escape

# No address begins within another one or within a word.
_ADDRESS = re.compile(
    r"(?<![\w@/.-])(?:https?://|www\.)\w[^\s<>\"]*|(?<![\w@/.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)
# Punctuation that ends a sentence or quotation, and brackets that began before the address.
_TRAILING = ".,;:!?…'”’»*–—"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
# Characters that addresses must encode (URL Living Standard, “URL code points”).
_FOREIGN = re.compile(r"[\\^`{|}\[\]]|%(?![0-9A-Fa-f]{2})")


def link_addresses(text: str) -> str:
    """Return a text as HTML with its addresses as links, without the punctuation behind them."""
    written: list[str] = []
    end = 0
    for found in _ADDRESS.finditer(text):
        address = _trim(found[0])
        written += (escape(text[end : found.start()]), _write_link(address))
        end = found.start() + len(address)
    return "".join((*written, escape(text[end:])))


def _trim(address: str) -> str:
    counts, end = Counter(address), len(address)
    while (last := address[end - 1]) in _TRAILING or counts[last] > counts[_BRACKETS.get(last, last)]:
        counts[last] -= 1
        end -= 1
    return address[:end]


def _write_link(address: str) -> str:
    target = _FOREIGN.sub(lambda found: f"%{ord(found[0]):02X}", address)
    # Only the last one begins a fragment.
    target = target.replace("#", "%23", target.count("#") - 1) if "#" in target else target
    if "://" not in target:
        target = f"https://{target}" if target.lower().startswith("www.") else f"mailto:{target}"
    return f'<a href="{escape(target)}" rel="noopener">{escape(address)}</a>'
