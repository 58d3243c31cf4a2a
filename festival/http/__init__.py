"""What every request and response goes through: middleware, policies, error pages, files; no domain logic."""
