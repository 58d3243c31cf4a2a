"""Spreadsheets, CSV and XLSX: one row per occasion, read as offices have them and written again."""
