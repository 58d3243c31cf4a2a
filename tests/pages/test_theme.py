"""The festival's own colours and fonts on the pages: readable whatever is chosen, and nothing else gets in."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.contrast import MIN_CONTRAST, PALETTE, assign_colors, compute_contrast, ensure_contrast, is_light
from feeds.palette import USUAL_DARK, USUAL_LIGHT, complete
from feeds.vocabulary import Headings, Palette, Theme
from pages.layout import build_style
from programme import models
from programme.backoffice.admin.face import list_helped
from tests.pages.reading import opened

LIGHT, DARK = ((each["paper"], each["sheet"]) for each in (USUAL_LIGHT, USUAL_DARK))
VARIABLES = Path(__file__).parents[2] / "pages/static/pages/variables.css"

colours = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
with_sample = pytest.mark.usefixtures("sample", "at")


@given(colours)
def test_every_colour_gets_enough_contrast(color: str) -> None:
    for grounds in (LIGHT, DARK):
        assert (
            min(compute_contrast(ensure_contrast(color, *grounds), ground) for ground in grounds)
            >= MIN_CONTRAST
        )


@given(colours)
def test_text_on_the_accent_has_enough_contrast(color: str) -> None:
    values = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6})", build_style(Theme(color=color))))
    # A surface keeps the festival's own colour.
    assert (values["fill-light"], values["fill-dark"]) == (color, color)
    for scheme, ground in (("light", LIGHT[0]), ("dark", DARK[0])):
        assert compute_contrast(color, values[f"on-accent-{scheme}"]) >= MIN_CONTRAST
        assert compute_contrast(values[f"accent-{scheme}"], ground) >= MIN_CONTRAST


@given(colours, colours, colours, colours)
def test_all_that_is_written_on_chosen_backgrounds_can_be_read(color, ink, background, dark) -> None:
    face = complete(Theme(color=color, palette=Palette(background, ink, "", dark)))
    for scheme in (face.light, face.dark):
        grounds = [scheme[name] for name in ("paper", "sheet", "surface")]
        for name in ("ink", "quiet", "accent", "good", "caution", "danger"):
            assert min(compute_contrast(scheme[name], each) for each in grounds) >= MIN_CONTRAST
        assert min(compute_contrast(scheme["field-line"], each) for each in grounds) >= 3
    assert face.only or (is_light(face.light["paper"]) and not is_light(face.dark["paper"]))


YELLOW = "#ffe600"


def test_yellow_stays_yellow_where_it_is_a_surface() -> None:
    assert build_style(Theme(color=YELLOW)) == (
        ":root{--accent-light:#1d1b19;--accent-dark:#ffe600;--fill-light:#ffe600;--fill-dark:#ffe600"
        ";--on-accent-light:#161513;--on-accent-dark:#161513}"
    )
    assert list_helped(Theme(color=YELLOW)) == {"color": "#1d1b19"}


def test_a_yellow_background_is_the_page_in_both_schemes_if_it_is_chosen_for_both() -> None:
    face = complete(Theme(color="#161513", palette=Palette(background=YELLOW, dark_background=YELLOW)))
    assert (face.light["paper"], face.light["ink"], face.only) == (YELLOW, "#161513", "light")
    assert face.light == face.dark


def test_a_dark_face_is_dark_for_everybody() -> None:
    assert build_style(Theme(color="#ff5da2", palette=Palette(background="#0b0b1a", ink="#f4f4ff"))) == (
        ":root{--accent-light:#ff5da2;--accent-dark:#ff5da2;--fill-light:#ff5da2;--fill-dark:#ff5da2"
        ";--on-accent-light:#161513;--on-accent-dark:#161513}@supports(color:light-dark(#000,#fff)){@media screen"
        "{:root{color-scheme:dark;--paper:light-dark(#0b0b1a,#0b0b1a);--sheet:light-dark(#1a1a28,#1a1a28)"
        ";--surface:light-dark(#070710,#070710);--ink:light-dark(#f4f4ff,#f4f4ff)"
        ";--quiet:light-dark(#aeaeba,#aeaeba);--line:light-dark(#3a3a48,#3a3a48)"
        ";--field-line:light-dark(#8b8b98,#8b8b98);--good:light-dark(#7bd88f,#7bd88f)"
        ";--caution:light-dark(#f3cf7a,#f3cf7a);--danger:light-dark(#ffa398,#ffa398)}"
        "header.site .brand img{margin:0;padding:0;background:none}}}"
    )


def test_a_logo_that_is_seen_on_light_and_dark_keeps_its_plate() -> None:
    assert ".brand img" not in build_style(Theme(palette=Palette(dark_background="#003300")))


def test_the_usual_colours_are_those_of_the_style_sheet() -> None:
    usual = dict(re.findall(r"(--[a-z-]+): light-dark\((.*)\);", VARIABLES.read_text()))
    full = {"#fff": "#ffffff"}
    for name, light in USUAL_LIGHT.items():
        written = [full.get(each, each) for each in usual[f"--{name}"].split(", ")]
        assert written == [light, USUAL_DARK[name]]


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert ensure_contrast("#8c2f4b", *LIGHT) == "#8c2f4b"
    # W3C's own example: black on white.
    assert compute_contrast("#000000", "#ffffff") == pytest.approx(21)


def test_areas_without_a_colour_get_one_of_the_palette_by_their_order() -> None:
    assert assign_colors([(3, ""), (1, "#aa0000"), (2, "")]) == {3: PALETTE[0], 1: "#aa0000", 2: PALETTE[2]}


def test_nothing_chosen_adds_nothing() -> None:
    assert build_style(Theme()) == ""


def test_fonts_and_colours_are_rules() -> None:
    assert build_style(Theme(color="#005f9e", headings=Headings.SANS)) == (
        ":root{--accent-light:#005f9e;--accent-dark:#4a8dba;--fill-light:#005f9e;--fill-dark:#005f9e"
        ";--on-accent-light:#ffffff;--on-accent-dark:#ffffff"
        ";--heading-font:var(--text-font)}"
    )


@pytest.mark.parametrize(
    "theme", [Theme(color="red}</style>"), Theme(color="#12345"), Theme(headings="</style>")]
)
def test_unvalidated_values_do_not_get_into_the_style_sheet(theme: Theme) -> None:
    assert build_style(theme) == ""


@with_sample
@pytest.mark.parametrize("path", ["/", "/en/", "/tillfalle/8001"])
def test_pages_have_the_festival_s_colour_and_logo(client, path) -> None:
    models.Festival.objects.update(color="#005f9e", logo="festival/logo.png", headings="slab")
    page = opened(client, path)
    assert "--accent-light:#005f9e;" in page.xpath("string(//head/style[1])")
    assert "--heading-font:Rockwell" in page.xpath("string(//head/style[1])")
    # The service may be opened by another name.
    logo = page.xpath("//img[@src='/media/festival/logo.png']")[0]
    assert logo.get("alt") == ("Åsunda Culture Night" if path == "/en/" else "Kulturnatten i Åsunda")


def test_browsers_without_light_dark_get_every_colour_of_the_light_scheme() -> None:
    usual, older = VARIABLES.read_text().split("@supports not")
    both = dict(re.findall(r"(--[a-z-]+): light-dark\((.*), .*\);", usual))
    assert dict(re.findall(r"(--[a-z-]+): (.*);", older)) == both
    assert len(both) > 10
