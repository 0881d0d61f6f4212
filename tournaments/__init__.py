"""Second floor: battlefields, entries, orders, turns, consequences, live play."""
