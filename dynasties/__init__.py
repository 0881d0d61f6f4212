"""Ground floor: accounts, houses, notices, and the vital signs of the site."""
