"""What pushes at one table tell of that table: its frictions, stroke, placement and contact."""
