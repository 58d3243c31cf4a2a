"""The commands of docs/install.md, as the page has them."""

import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "install.md"

_BLOCK = re.compile(
    r"^## (?P<section>[^\n]+)$|(?:^<!-- install-test: (?P<mark>\w+) -->\n)?^```sh\n(?P<commands>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# cat > FILE <<'END' … END
_FILE = re.compile(r"^cat > (\S+) <<'?END'?\n(.*?)^END$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """What is pasted at once, under which heading; `mark` names what a test does with it instead."""

    section: str
    commands: str
    mark: str

    @property
    def files(self) -> dict[str, str]:
        """The files that the block writes: path, content."""
        return dict(_FILE.findall(self.commands))


def read_blocks(text: str) -> list[Block]:
    section, blocks = "", []
    for found in _BLOCK.finditer(text):
        section = found["section"] or section
        if found["commands"]:
            blocks.append(Block(section, found["commands"], found["mark"] or ""))
    return blocks
