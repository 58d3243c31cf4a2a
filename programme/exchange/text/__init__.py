"""Foreign texts as the plain text that the programme stores; pure functions, never a model."""
