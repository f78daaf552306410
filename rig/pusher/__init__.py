"""The pusher, real and virtual: its port, the serial line to it and the protocol on that line."""
