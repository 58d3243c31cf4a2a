"""Measures the read side against PostgreSQL's own json_agg: `make bench`."""
