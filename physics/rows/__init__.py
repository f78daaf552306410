"""Rows as people and programs write them: a line of text, fields, files of several kinds."""
