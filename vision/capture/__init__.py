"""Frames from cameras and from files."""
