"""What every game shares: the protocol, refusals, options, chance, scenes, grids, records."""
