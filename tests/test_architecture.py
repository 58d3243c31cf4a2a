"""The direction of imports: festival -> pages -> programme -> feeds, and feeds stays pure."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_go_one_way() -> None:
    config = Path(__file__).parents[1] / "pyproject.toml"
    assert lint_imports(config_filename=str(config), no_cache=True) == EXIT_STATUS_SUCCESS
