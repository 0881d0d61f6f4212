"""Pure rules: no Django, no clock, no dice of their own, no disk, no network."""
