"""Readers of files: each turns one kind of file into the same plain values; never touches the database."""
