"""The picture of an address: made of what phones can read, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from pages.subscribing import render_qr


@given(st.text("a/?=&.å", min_size=1, max_size=900))
def test_a_picture_is_made_of_what_is_short_enough(url):
    is_short = len(url.encode()) <= 700
    assert render_qr(url).startswith('<svg viewBox="0 0 ') == is_short
    assert bool(render_qr(url)) == is_short


def test_other_addresses_have_other_pictures():
    assert render_qr("https://program.example/a") != render_qr("https://program.example/b")
