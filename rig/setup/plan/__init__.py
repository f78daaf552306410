"""What set-up asks for, step by step, and what it knows by now."""
