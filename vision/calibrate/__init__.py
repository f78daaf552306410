"""What is measured once and watched after: the lens, the mat, and where the camera hangs."""
