"""Where wealth changes hands: the shop of the crown, offers between dynasties, the mint."""
