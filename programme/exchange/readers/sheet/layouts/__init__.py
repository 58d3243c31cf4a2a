"""Sheets that are laid out for people (days, grids, sections, blocks), read as plain tables."""
