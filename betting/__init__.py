"""Top floor: pools, bets, settlement."""
