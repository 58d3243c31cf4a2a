#!/usr/bin/env python
"""The command line of the project in a checkout: the same as the command `festival`."""

from festival.command_line import main

if __name__ == "__main__":
    main()
