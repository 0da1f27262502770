"""Answers from memory alone: quotes, turned to the reader, with where they come from."""
