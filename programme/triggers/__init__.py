"""What the database keeps by itself, declared beside the models; never reads a request."""
