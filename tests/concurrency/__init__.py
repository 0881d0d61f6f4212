"""Many at the same moment, on real databases: nothing is lost, nothing happens twice."""
