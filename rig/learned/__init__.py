"""What a table has learned of itself, from the pushes made there."""
