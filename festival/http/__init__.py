"""Middleware, policies, error pages and files."""
