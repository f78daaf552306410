"""Set-up's own hands on the devices: one camera, one pusher, one row."""
