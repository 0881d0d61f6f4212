"""What happened in the world, told once and for ever."""
