"""The sheets to print, exact to the millimetre."""
