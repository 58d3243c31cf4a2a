"""Web addresses are those that Django's validator accepts, also where their beginnings are known already."""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from hypothesis import example, given
from hypothesis import strategies as st

from programme.exchange.readers.fields import parse_web_address
from programme.models.cleaning import clean_line

PARTS = (
    *("http", "https", "ftp", "://", "//", ":", "/", "?", "#", "@", "a.se", "ö.se", "localhost", "1.2.3.4"),
    *("[::1]", "[", "]", ":80", "-", ".", "x", " ", "\u00a0", "%20", "http://a.se", "https://b.com/"),
)


def is_valid(address: str) -> bool:
    try:
        URLValidator(schemes=["http", "https"])(address)
    except ValidationError:
        return False
    return True


@given(st.lists(st.sampled_from(PARTS), max_size=9).map("".join))
@example("http://a?b@host.se/path")
@example("https://a.se/one two")
def test_a_web_address_is_what_the_validator_accepts(text):
    assert bool(parse_web_address(text)) == is_valid(clean_line(text))


def test_a_valid_beginning_makes_no_address_of_what_is_too_long_or_has_blanks():
    found = [parse_web_address(f"https://a.se/{rest}") for rest in ("", "x" * 988, "x" * 987, "x y")]
    assert found == ["https://a.se/", "", f"https://a.se/{'x' * 987}", ""]
