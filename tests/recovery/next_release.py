"""The release after this one: what a test adds to the sources of this one."""

import re
from pathlib import Path

VERSION = "9.0.0"
FIELD = '    note = models.TextField(blank=True, db_default="")\n'
MIGRATION = """
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):
    dependencies = [("programme", "{last}")]
    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField("event", "note", models.TextField(blank=True, db_default="")),
        migrations.AddField("historicalevent", "note", models.TextField(blank=True, db_default="")),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
"""


def make_next(packages: Path) -> None:
    """Turn the packages of this release into those of a later one, with one more column and static file."""
    _replace(packages / "festival" / "__init__.py", r'__version__ = ".*"', f'__version__ = "{VERSION}"')
    # A name that the main process of this release does not have.
    with (packages / "festival" / "__init__.py").open("a") as file:
        file.write("IS_NEXT = True\n")
    _replace(
        packages / "festival" / "wsgi.py",
        r"^import os$",
        "import os\n\nfrom festival import IS_NEXT  # noqa: F401",
    )
    # A file that no page of this release has collected.
    (packages / "pages" / "static" / "pages" / "next.css").write_text("p { color: inherit }")
    _replace(
        packages / "festival" / "resources" / "templates" / "pages" / "base.html",
        r'^<link rel="stylesheet" href=',
        """<link rel="stylesheet" href="{% static 'pages/next.css' %}">\n<link rel="stylesheet" href=""",
    )
    _replace(
        packages / "programme" / "models" / "events.py",
        r"^    image = models",
        f"{FIELD}\n    image = models",
    )
    migration = packages / "programme" / "migrations" / "0999_event_note.py"
    migration.write_text(MIGRATION.format(last=last_migration(packages)))


def last_migration(packages: Path) -> str:
    return max(path.stem for path in (packages / "programme" / "migrations").glob("0*.py"))


def _replace(path: Path, pattern: str, text: str) -> None:
    written, count = re.subn(pattern, text, path.read_text(), count=1, flags=re.MULTILINE)
    assert count == 1, f"{path} does not have {pattern}"
    path.write_text(written)
