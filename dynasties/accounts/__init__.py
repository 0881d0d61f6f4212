"""Who is at the keyboard: players, staff, guests; how they come, prove it and leave."""
