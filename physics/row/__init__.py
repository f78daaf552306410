"""What stands on the table: tiles, the row they make, the push it gets, and what came of it."""
