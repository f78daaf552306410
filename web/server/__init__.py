"""The server around the tables: sockets, HTTPS, and the edge that every request passes first."""
