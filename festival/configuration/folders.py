"""Where the project's folders are: beside the packages in a checkout, inside this one in an installation."""

from pathlib import Path

# The folder that holds the packages: a checkout, or site-packages.
PACKAGES = Path(__file__).resolve().parents[2]
# Where pyproject.toml puts, in the package, the folders that stand outside it in a checkout.
RESOURCES = "festival/resources"


def is_checkout(packages: Path = PACKAGES) -> bool:
    """Return whether the packages are a checkout rather than an installation."""
    return (packages / "manage.py").is_file()


def find_folder(name: str, packages: Path = PACKAGES) -> Path:
    """Return a folder of the repository, such as `docs/handbook`, wherever it is now."""
    return packages / name if is_checkout(packages) else packages / RESOURCES / name


def default_data_dir(packages: Path = PACKAGES) -> Path:
    """Return the default of DATA_DIR, which is never inside site-packages."""
    return packages / "var" if is_checkout(packages) else Path("/var/lib/festival")
