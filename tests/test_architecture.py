"""Imports: the layers of the packages, and tests that do not import from each other."""

import ast
import logging.config
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.conftest import OF_THE_DATABASE

ROOT = Path(__file__).parents[1]


def test_imports_go_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    # It would disable all other loggers, and with them what later tests expect in the log.
    monkeypatch.setattr(logging.config, "dictConfig", lambda _config: None)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_imports_from_a_test_module() -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}: move what both need to a helper module or a conftest"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in imported_modules(path)
        if any(part.startswith("test_") for part in name.split(".")[:-1]) or name.startswith("tests.test_")
    ]
    assert found == []


def test_what_postgresql_runs_is_there() -> None:
    assert [each for each in OF_THE_DATABASE if not each.exists()] == []


# What formats are built on.
ALLOWED_IN_FEEDS = ("django.template.loader.", "django.utils.", "rest_framework.renderers.")


def test_the_read_side_has_no_database_settings_or_requests() -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / "feeds").rglob("*.py"))
        for name in imported_modules(path)
        if name.startswith(("django", "rest_framework")) and not name.startswith(ALLOWED_IN_FEEDS)
    ]
    assert found == []


ROOMS = ("feeds", "festival", "pages", "programme")
# Layers in which one thing may have one name: the JSON interface, the values in memory, the database's models.
LAYERS = ("feeds/interface.py", "feeds/", "programme/models/")
# Classes that Django and Python look for by their name.
REQUIRED_NAMES = {"Command", "Media", "Meta"}


def test_a_class_name_stands_for_one_thing() -> None:
    found: dict[str, list[str]] = {}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        layer = next((each for each in LAYERS if name.startswith(each)), name)
        for node in ast.walk(ast.parse("" if "/migrations/" in name else path.read_text())):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(layer)
    shared = {name for name, layers in found.items() if len(layers) > max(1, len({*layers} & {*LAYERS}))}
    assert shared <= REQUIRED_NAMES
