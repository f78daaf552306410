"""The pusher: its port, real and virtual, the line to it and the words on it."""
