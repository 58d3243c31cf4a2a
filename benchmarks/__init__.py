"""Measure the read side, also against PostgreSQL's json_agg: `make bench`."""
