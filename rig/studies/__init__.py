"""Surveys as they run: chunks of rows on processes or a cluster, kept as they come."""
