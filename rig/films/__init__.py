"""Films of pushes: what is in one, how it looks and sounds, and where they are kept."""
