"""The read side, pure: the programme as values, selections of it, and the formats that write them."""
