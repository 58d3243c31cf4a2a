"""Run the server of the reader processes: `python -m festival.server`, which `manage.py serve` becomes."""

import sys

from festival.server import reader_server

if __name__ == "__main__":
    reader_server.main(sys.argv[1:])
