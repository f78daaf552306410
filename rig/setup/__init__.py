"""The first evening: what is set up, what is still to do, and the devices tried one by one."""
