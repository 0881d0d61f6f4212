"""Tests of what the site promises as a whole, across its rooms."""
