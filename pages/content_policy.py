"""The Content-Security-Policy of public pages: hashes, because a page's bytes are the same for everybody."""

from base64 import b64encode
from hashlib import sha256

HEADER = "Content-Security-Policy"
# No script and no style attribute is inline. Editors may name images anywhere.
DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' https:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def build_content_policy(style: str = "", *, framed: bool = False) -> str:
    """Return the policy of a page with one style element; other websites may embed a `framed` one.

    The hash is of what the page was given to render, not of what stands in it: a style element that a text
    of the programme smuggled in would not apply.
    """
    directives = dict(DIRECTIVES)
    if style:
        directives["style-src"] += f" {hash_source(style)}"
    if framed:
        directives["frame-ancestors"] = "*"
    return "; ".join(f"{directive} {sources}" for directive, sources in directives.items())


def hash_source(text: str) -> str:
    """Return the source expression of an inline element with this text (CSP Level 3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
