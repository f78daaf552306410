"""The machine, the session, the rules and the command line."""
