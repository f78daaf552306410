"""From light to millimetres; the only folder that imports OpenCV."""
