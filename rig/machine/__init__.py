"""The machine behind a table: it looks, pushes and watches on a thread of its own."""
