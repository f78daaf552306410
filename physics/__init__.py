"""What stands on the table, and how it falls."""
