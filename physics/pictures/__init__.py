"""Answers as pictures: a row from above with its chances, a report of many, a film of one fall."""
