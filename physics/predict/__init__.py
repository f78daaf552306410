"""The chance that a row falls, for one row or for a file of them."""
