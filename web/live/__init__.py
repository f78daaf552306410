"""One table while it is played: its parts, its views, and the streams that carry them."""
