"""Questions about many rows: parameters over ranges, what the model says, and answers drawn."""
