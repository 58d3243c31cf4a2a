"""The festival's name and colour in the back office, as the present programme has them."""

from django.utils.translation import get_language

from feeds.contrast import COLOR, choose_foreground, ensure_contrast
from programme.publishing.current import current

# The backgrounds of look.css, ground and surface, on light and on dark.
LIGHT, DARK = ("#f6f5f2", "#ffffff"), ("#131416", "#1c1d20")


def build_look() -> dict[str, str]:
    """Return the context of every page: `festival_name` in the editor's language, and `festival_style`, CSS.

    Empty where this process has no programme yet: no page is worth a query for its colour.
    """
    if current.programme is None:
        return {}
    festival = current.programme.festival
    name = festival.name.within("en" if get_language() == "en" else "sv")
    return {
        "festival_name": name,
        # In the browser's tab.
        "site_title": name,
        "festival_style": build_style(festival.theme.color),
    }


def build_style(color: str) -> str:
    """Return the rules that give look.css the festival's colour; none if it has none."""
    if not COLOR.fullmatch(color):
        return ""
    colors = [ensure_contrast(color, *grounds) for grounds in (LIGHT, DARK)]
    festival, on_festival = ",".join(colors), ",".join(map(choose_foreground, colors))
    return f":root{{--festival:light-dark({festival});--on-festival:light-dark({on_festival})}}"
