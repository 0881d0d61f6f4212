"""Tests of the chronicle."""
