"""What is said at the table and in the stands: two rooms, apart until it is over."""
