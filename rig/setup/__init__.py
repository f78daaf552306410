"""The first evening: sets up the devices, tries them one by one, and says what is still to do."""
