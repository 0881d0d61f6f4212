"""Measurements. Each compares two ways in one run on one machine and reports their ratio."""
