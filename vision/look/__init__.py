"""What one frame shows, what looks mean over time, and the evidence of a fall."""
