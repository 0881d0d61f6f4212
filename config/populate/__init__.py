"""A made-up world of any size, consistent to the last invariant: for demos and measurements."""
