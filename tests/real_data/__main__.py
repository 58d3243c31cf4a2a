"""Check the import with programmes that others have written: `make real-data REAL_DATA=folder`.

The files are read twice: by readers of their own here, whose counts must be those of the data's README, and by the
import, into an empty temporary database. The two are compared row by row. What differs without being a known limit
(tests/real_data/cases.py) is listed, and makes this command fail.
"""

import io
import os
import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

NAMED = "REAL_DATA"
USUAL = "../shared/data/real"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(os.environ.get(NAMED) or USUAL))
    parser.add_argument("--only", default="", help="the cases whose names hold this text")
    chosen = parser.parse_args()
    if not chosen.folder.is_dir():
        sys.exit(f"There is no real data at {chosen.folder}: name its folder with {NAMED}=…")
    with _temporary_database():
        from tests.real_data import cases, checking, facts, layouts  # noqa: PLC0415 - needs Django

        results = list(checking.check_all(chosen.folder, chosen.only))
        lines, faults = layouts.check_all(cases.list_for_layouts(chosen.folder, chosen.only))
        stated, differing = facts.check_all(chosen.folder, chosen.only)
    sys.stdout.write("\n".join([checking.write_results(results), *lines, *stated, ""]))
    if wrong := "\n".join(filter(None, [checking.write_differences(results), *faults, *differing])):
        sys.exit(wrong)


@contextmanager
def _temporary_database() -> Iterator[None]:
    """Set Django up with an empty database, and without the settings and the files of this machine."""
    import django  # noqa: PLC0415 - after the settings are named
    from django.db import connection  # noqa: PLC0415 - needs Django

    warnings.simplefilter("ignore")
    with TemporaryDirectory() as directory:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "festival.settings",
            "FESTIVAL_ENV_FILE": "",
            "DATA_DIR": directory,
        }
        django.setup()
        if connection.vendor == "postgresql":
            connection.settings_dict["TEST"]["NAME"] = "real_data"
        name = connection.settings_dict["NAME"]
        with redirect_stdout(io.StringIO()):
            connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


if __name__ == "__main__":
    main()
