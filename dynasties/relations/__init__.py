"""Who wants nothing to do with whom: blocks, which hold everywhere."""
