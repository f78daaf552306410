"""What set-up does with the devices: one camera, one pusher, one row."""
