"""The camera over the mat, and boxes as it sees them: what relates pixels to millimetres."""
