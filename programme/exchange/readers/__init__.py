"""Readers turn each kind of file into the same plain values; they never write to the database."""
