"""Content codings: RFC 9110, section 12.5.3."""

import gzip
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.negotiation import CODINGS, choose_coding

READERS: dict[str, Callable[[bytes], bytes]] = {
    "zstd": zstandard.ZstdDecompressor().decompress,
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    "identity": bytes,
}


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("", "identity"),
        ("identity", "identity"),
        ("GZip", "gzip"),
        ("x-gzip", "gzip"),
        ("deflate, compress", "identity"),
        ("gzip, deflate, br", "br"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("br;q=0.9, zstd;q=0.1", "br"),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("gzip;q=0", "identity"),
        ("gzip ; q = 0.5", "gzip"),
        ("gzip;q=0.5, identity", "identity"),
        ("gzip, identity", "gzip"),
        ("*", "zstd"),
        ("zstd;q=0, *", "br"),
        ("identity;q=0, *;q=0.001", "zstd"),
        ("identity;q=0.5, *;q=0", "identity"),
        ("gzip;q=2, br;q=-1, zstd;level=3", "identity"),
        (",, gzip ,", "gzip"),
        ("identity;q=0", None),
        ("*;q=0", None),
    ],
)
def test_the_coding_of_the_highest_quality_is_preferred(header: str | None, name: str | None) -> None:
    chosen = choose_coding(header)
    assert (chosen and chosen.name) == name


@given(st.text(max_size=50))
@example("gzip;q=" + "0" * 10_000)
def test_any_header_can_be_read(header: str) -> None:
    assert choose_coding(header) in (*CODINGS, None)


@pytest.mark.parametrize("coding", CODINGS, ids=lambda coding: coding.name)
@given(body=st.binary())
def test_every_coding_is_read_back(coding, body: bytes) -> None:
    assert READERS[coding.name](coding.compress(body)) == body


@pytest.mark.parametrize("coding", CODINGS, ids=lambda coding: coding.name)
def test_equal_bodies_are_equal_bytes(coding) -> None:
    assert coding.compress(b"programme" * 99) == coding.compress(b"programme" * 99)
