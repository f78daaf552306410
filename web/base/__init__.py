"""What every room of the web side uses: errors, limits, the session from here."""
