"""Monitoring: health and metrics."""
