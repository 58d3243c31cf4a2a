"""What is amiss with the programme: found, told, and where it is mended."""
