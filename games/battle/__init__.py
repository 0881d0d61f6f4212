"""Battle: emperors and pawns on tiles, one secret order a seat and turn, all resolved at once."""
