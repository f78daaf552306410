"""The pretend table: what stands on it, what hands do, and what really happens."""
