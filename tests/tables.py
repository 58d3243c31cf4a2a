"""Tables of examples in Markdown, which are read like documentation and tested row by row."""

import re
from pathlib import Path


def read_table(path: Path) -> list[tuple[str, ...]]:
    """Return the rows below the heads of a table: cells with backquotes are what is between them."""
    lines = [line.strip("|") for line in path.read_text().splitlines() if line.startswith("|")]
    cells = [
        [cell.strip() for cell in re.split(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", line)] for line in lines[2:]
    ]
    return [tuple(cell[1:-1] if cell.startswith("`") else cell for cell in row) for row in cells]
