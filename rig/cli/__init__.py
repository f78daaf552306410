"""The commands of domino-rig."""
