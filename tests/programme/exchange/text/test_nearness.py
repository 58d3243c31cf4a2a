"""Names that probably mean another one are found, and names that only have something in common are not."""

import pytest

from programme.exchange.text.nearness import NearNames

STORED = [
    "Älvhamns kulturskola", "Stadsbiblioteket Hisingen", "Sankta Karins kyrka", "Stora scenen", "Lilla scenen",
    "Nya scenen", "Gamla scenen", "Norra Kyrkogatan 2", "Sal 1", "Konserthuset", "Biograf Lyktan", "Anna Berg, Bo Ek",
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Kulturskolan", ["Älvhamns kulturskola"]),
        ("kulturskolan i Älvhamn", ["Älvhamns kulturskola"]),
        ("Hisingens stadsbibliotek", ["Stadsbiblioteket Hisingen"]),
        ("Karins kyrka", ["Sankta Karins kyrka"]),
        ("S:ta Karins kyrka", ["Sankta Karins kyrka"]),
        ("Bio Lyktan", ["Biograf Lyktan"]),
        ("SKK", ["Sankta Karins kyrka"]),
        ("Konserthuset Stora salen", ["Konserthuset"]),
        ("Konserthuse", ["Konserthuset"]),
        # Too many have the word, another number, too little in common, one of several names.
        ("Scenen", []),
        ("Sal 2", []),
        ("Konserthuset 2", []),
        ("Västra Kyrkogatan 2", []),
        ("Anna Berg", []),
        ("–", []),
    ],
)
def test_the_names_that_may_be_meant(name, found):
    assert NearNames(STORED).find(name) == found
