"""Where a festival's programme is kept, published and edited; never what visitors see."""
