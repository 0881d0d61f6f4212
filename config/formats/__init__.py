"""How dates and times are written in each language, where Django's own way is not ours.

Every moment is told in the world's time and says so: the last part of it is the zone.
"""
