"""The pusher in the picture: its printed tag, where it has to go, and the part it hides."""
