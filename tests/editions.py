"""Years of the sample (tests/programmes.py) as editions, of which 2026 is the current one."""

from datetime import date, timedelta

from programme.models import Edition
from tests.conftest import NOW

# Of the occasions of the sample, the only ones in the other two.
OF_2025, OF_2027 = 8011, 8012


def make_editions(*years: int) -> dict[str, Edition]:
    rows = [
        Edition(
            slug=str(year),
            name_sv=f"Natten {year}",
            name_en=f"Night {year}",
            first_day=date(year, 1, 1),
            last_day=date(year, 12, 31),
            current_since=NOW - timedelta(days=100) if year == 2026 else None,
        )
        for year in years or (2025, 2026, 2027)
    ]
    for each in rows:
        each.save()
    return {each.slug: each for each in rows}
