"""Dynasties as the world knows them: their names, mottoes and public pages."""
