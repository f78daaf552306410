"""The referee app: thin routes over the session."""
