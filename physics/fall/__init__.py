"""How a row falls: joints in plan, the side view in pymunk, and many noisy trials of it."""
