"""What an import changes: match, compare, decide and apply; never parses a file."""
