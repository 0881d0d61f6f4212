"""What the site tells people: live frames, proclamations, letters."""
