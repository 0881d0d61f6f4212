"""First floor: emperors, their reigns, their reputation and its decay."""
