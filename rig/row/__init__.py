"""The row on the table: where its tiles stand, how it is read, what pushes did to it."""
