"""The frame of the back office."""

import pytest
from django.test import Client

from festival import __version__


def test_editors_see_which_version_this_is(office: Client) -> None:
    assert (
        f'<p class="version">Festival programme {__version__}</p>' in office.get("/admin/").content.decode()
    )


def test_who_has_not_signed_in_does_not(client: Client, db: None) -> None:
    assert __version__ not in client.get("/admin/login/").content.decode()


@pytest.mark.parametrize(
    ("language", "words"), [("sv", "%(sel)s av %(cnt)s valda"), ("en", "%(sel)s of %(cnt)s chosen")]
)
def test_the_scripts_of_lists_say_how_many_rows_are_chosen(office: Client, language: str, words: str) -> None:
    assert words in office.get("/admin/jsi18n/", headers={"Accept-Language": language}).content.decode()
