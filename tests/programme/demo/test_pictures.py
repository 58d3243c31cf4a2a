"""The demo's pictures."""

import pytest

from programme.demo import pictures


@pytest.mark.parametrize("motif", pictures.MOTIFS)
def test_a_picture_depends_on_its_key_motif_and_colours_alone(motif):
    def painted_anew(*words: str) -> bytes:
        pictures.paint.cache_clear()
        return pictures.paint(*words)

    first = painted_anew("Konsert", motif, "#1f6f8b", "#58a5b8")
    assert painted_anew("Konsert", motif, "#1f6f8b", "#58a5b8") == first
    others = [
        ("Dans", "#1f6f8b", "#58a5b8"),
        ("Konsert", "#c8452f", "#58a5b8"),
        ("Konsert", "#1f6f8b", "#e0b340"),
    ]
    assert first not in {painted_anew(key, motif, *colors) for key, *colors in others}
