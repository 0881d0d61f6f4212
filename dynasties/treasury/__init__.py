"""The treasury: what every dynasty owns, and every movement of it, to the last coin."""
