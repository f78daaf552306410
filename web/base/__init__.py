"""What every room of the web side uses: errors, limits, headers, the port to the session."""
