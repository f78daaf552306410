"""The numbers that somebody with another camera, table or set of tiles may have to set."""
