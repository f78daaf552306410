"""The web side: a thin referee over the session, for phones, table screens and browsers."""
