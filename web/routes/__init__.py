"""The addresses of a table, one file for each group of pages."""
