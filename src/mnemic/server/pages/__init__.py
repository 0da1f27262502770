"""The files of the `/docs` page."""
